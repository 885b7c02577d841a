import { Box, Button, Flex } from "@chakra-ui/react";
import { useEffect, useLayoutEffect, useMemo } from "react";
import { useStore } from "zustand";
import { MAX_LIST_ENTRIES } from "../../../../common/lists.ts";
import { isCertainToFail } from "../../../../common/remedies.ts";
import { TIERS } from "../../../../common/tiers.ts";
import { announcer, useAnnouncement } from "../../client/announcer.ts";
import { showList, useConverter } from "../../client/converter.ts";
import { useDevice } from "../../client/stores.ts";
import { Link } from "../../components/Link.tsx";
import { useListTexts } from "../../texts/lists/index.ts";
import { sentenceOf, useFormats, useTexts } from "../../texts/store.ts";
import { EntryList } from "./EntryList.tsx";
import { FollowLine } from "./FollowLine.tsx";
import { ListTools } from "./ListTools.tsx";
import { isSingleIn } from "./list-store.ts";
import type { ListState, ListStore } from "./list-store.ts";
import { openList } from "./opened-list.ts";
import { TapeSwitch } from "./TapeSwitch.tsx";
import { chosenFrom } from "./start-chosen.ts";
import { Skeleton } from "../../components/Skeleton.tsx";

/** The subject of its announcements, as of any preview. */
const ABOUT = "preview";

/** The videos of the list whose link is in the field, to choose some of them. */
export default function ListPicker() {
  const link = useConverter((state) => state.link.trim());
  const store = useMemo(() => openList(link), [link]);
  const isEmpty = useStore(store, ({ head, entries }) => head === null || entries.length === 0);
  const texts = useListTexts();
  useEffect(() => {
    store.getState().read();
    return () => store.getState().stop();
  }, [store]);
  // Without entries Convert says what is wrong with the link.
  const shown = useMemo(() => (isEmpty ? null : chosenFrom(store, texts)), [isEmpty, store, texts]);
  useLayoutEffect(() => {
    showList(shown);
    return () => showList(null);
  }, [shown]);
  useSingleChoice(store);
  return (
    <Flex
      direction="column"
      gap="2.5"
      gridColumn="1 / -1"
      pb="1"
      minW="0"
      role="group"
      aria-label={texts.name}
      data-list=""
    >
      <Head store={store} />
      {isEmpty ? (
        <Waiting store={store} />
      ) : (
        <>
          <ListTools store={store} />
          <Entries store={store} />
          <ReadingState store={store} />
          <TapeSwitch store={store} />
          <FollowLine link={link} />
          <SinglePlan />
        </>
      )}
    </Flex>
  );
}

/** Pro may end while several are chosen. */
function useSingleChoice(store: ListStore): void {
  const isSingle = useDevice(({ tier }) => isSingleIn(tier));
  useEffect(() => {
    const { selection, chooseNone } = store.getState();
    if (isSingle && selection.chosen.size > 1) chooseNone();
  }, [isSingle, store]);
}

function Head({ store }: { readonly store: ListStore }) {
  const head = useStore(store, (state) => state.head);
  const count = useStore(store, (state) => state.entries.length);
  const isReading = useStore(store, (state) => state.isReading);
  const texts = useListTexts();
  const formats = useFormats();
  const total = head?.total ?? null;
  const isCounting = total === null && isReading;
  const known = total ?? count;
  const size = isCounting ? texts.readSoFar(formats.number(count)) : texts.entries(known, formats.number(known));
  const announcement = head === null ? "" : texts.announce(head.title, size);
  const title = head?.title;
  useEffect(() => {
    if (title !== undefined) announcer.getState().announce([{ about: ABOUT, text: announcement, isEnd: false }]);
    return () => announcer.getState().withdraw(ABOUT);
    // oxlint-disable-next-line react/exhaustive-deps -- said once, not at every page
  }, [title]);
  if (head === null) return null;
  return (
    <Flex wrap="wrap" align="center" columnGap="3" rowGap="1">
      <Box flex="1" minW="min(12rem, 100%)">
        <Box dir="auto" fontWeight={600} lineClamp={2} overflowWrap="anywhere" _rtl={{ textAlign: "right" }}>
          {head.title}
        </Box>
        <Box textStyle="meta" fontVariantNumeric="tabular-nums">
          {size} {head.isCut && texts.cut(formats.number(MAX_LIST_ENTRIES))}
        </Box>
      </Box>
    </Flex>
  );
}

/** In the place of the entries while there are none. */
function Waiting({ store }: { readonly store: ListStore }) {
  const failure = useStore(store, (state) => state.failure);
  const isLoaded = useStore(store, (state) => state.head !== null && !state.isReading);
  const texts = useListTexts();
  const emptyList = useTexts().exactErrors.empty_list;
  useAnnouncement("empty-list", isLoaded && !failure ? emptyList : "");
  if (failure) return <Failure store={store} failure={failure} />;
  if (isLoaded)
    return (
      <Box textStyle="meta" py="3">
        {emptyList}
      </Box>
    );
  return (
    <Box role="img" aria-label={texts.loading} aria-busy="true">
      {[62, 48, 70, 55].map((percent) => (
        <Flex key={percent} align="center" gap="3" h="3.25rem" px="3">
          <Skeleton boxSize="1.25rem" flexShrink={0} />
          <Skeleton h="4" w={`${percent}%`} />
        </Flex>
      ))}
    </Box>
  );
}

function Entries({ store }: { readonly store: ListStore }) {
  const isNothingFound = useStore(store, ({ shown }) => shown.length === 0);
  const texts = useListTexts();
  useAnnouncement("search", isNothingFound ? texts.noMatch : "");
  return (
    <>
      <EntryList store={store} />
      <Box textStyle="meta" _empty={{ display: "none" }}>
        {isNothingFound ? texts.noMatch : null}
      </Box>
    </>
  );
}

/** Below the entries, when the rest could not be read. */
function ReadingState({ store }: { readonly store: ListStore }) {
  const failure = useStore(store, (state) => state.failure);
  return failure && <Failure store={store} failure={failure} isHalfWay />;
}

/** For the free plan: what it allows. */
function SinglePlan() {
  const isSingle = useDevice(({ tier }) => isSingleIn(tier));
  const texts = useListTexts();
  const { upgrade } = useTexts().nav;
  if (!isSingle) return null;
  return (
    <Flex wrap="wrap" align="center" columnGap="3" rowGap="1" minH="11" textStyle="meta">
      <Box flex="1" minW="min(14rem, 100%)">
        {texts.single(TIERS.pro.batchSize)}
      </Box>
      <Button variant="outline" size="sm" asChild>
        <Link to="/plans">{upgrade}</Link>
      </Button>
    </Flex>
  );
}

interface FailureProps {
  readonly store: ListStore;
  readonly failure: NonNullable<ListState["failure"]>;
  /** Whether there are entries already. */
  readonly isHalfWay?: boolean;
}

function Failure({ store, failure: { body }, isHalfWay = false }: FailureProps) {
  const texts = useListTexts();
  const reason = body?.code === "playlist" && !body.reason ? texts.noList : body && sentenceOf(body);
  const sentence = isHalfWay ? [texts.stopped, reason].filter(Boolean).join(" ") : (reason ?? texts.failed);
  const canRetry = body === null || !isCertainToFail(body.code);
  return (
    <Flex wrap="wrap" align="center" columnGap="3" rowGap="2" role="alert">
      <Box flex="1" minW="min(14rem, 100%)" textStyle="meta" color="bad">
        {sentence}
      </Box>
      {canRetry && (
        <Button variant="outline" size="sm" onClick={() => store.getState().read()}>
          {texts.retry}
        </Button>
      )}
    </Flex>
  );
}
