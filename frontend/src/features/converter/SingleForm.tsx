import { Box, Button, Flex, Spacer, chakra } from "@chakra-ui/react";
import { Suspense, lazy, useId, useRef } from "react";
import type { ClipboardEvent, FormEvent, RefObject } from "react";
import { isStarting, showsList, takeLinks, useConverter, useIntake, usePreview } from "../../client/converter.ts";
import { useChoices, useDevice } from "../../client/stores.ts";
import { notify } from "../../client/toaster.ts";
import { scrollToJobPlace } from "../../platform/job-place.ts";
import { problemSentence } from "../../stores/converter.ts";
import { mayHoldLink } from "../../stores/text-reader.ts";
import { currentTexts, useTexts } from "../../texts/store.ts";
import { useHasCurrentJob } from "../queue/use-current-job.ts";
import { ChoicesPlace } from "./ChoicesPlace.tsx";
import { ConvertBar } from "./ConvertBar.tsx";
import { ConvertButton } from "./ConvertButton.tsx";
import { FormatAdvice } from "./FormatAdvice.tsx";
import { FormatToggle } from "./FormatToggle.tsx";
import { JobPlace } from "./JobPlace.tsx";
import { useEarlyText, useFocusOnArrival } from "./use-incoming.ts";

// Development only, so production visitors never load it.
const SampleMenu = lazy(() => import("./SampleMenu.tsx"));

// Most visitors paste one link.
const SeveralLinks = lazy(async () => ({ default: (await import("./SeveralLinks.tsx")).SeveralLinks }));

// With the choices, and with the list.
const ChosenSize = lazy(() => import("../choices/ChosenSize.tsx"));
const ChosenCount = lazy(() => import("../lists/ChosenCount.tsx"));

/** Whether the device shows a keyboard on its screen while a field is focused. */
const hasTouchKeyboard = () => window.matchMedia("(pointer: coarse)").matches;

const Field = chakra("div", {
  base: {
    display: "flex",
    alignItems: "center",
    gap: "2.5",
    minH: "3.875rem",
    ps: "4",
    pe: "2",
    bg: "bg.sunken",
    border: "1.5px solid {colors.edge}",
    borderRadius: "lg",
    transition: "border-color 120ms, box-shadow 120ms, background-color 120ms",
    "&:has(input:focus)": { bg: "surface", borderColor: "accent.text", boxShadow: "0 0 0 4px {colors.accent.soft}" },
    "&[data-invalid]": { borderColor: "bad" },
    "&[data-invalid]:has(input:focus)": { borderColor: "bad", boxShadow: "0 0 0 4px {colors.bad.soft}" },
  },
});

interface PartProps {
  readonly input: RefObject<HTMLInputElement | null>;
  /** Ids of the elements that describe the field to screen readers: the format's hint, and the problem. */
  readonly hintId: string;
  readonly problemId: string;
}

/** The form for a single link. */
export function SingleForm() {
  const { link, setLink, submit } = useConverter((state) => state);
  const input = useRef<HTMLInputElement>(null);
  const ids = { hintId: useId(), problemId: useId() };
  const hasSeveral = useIntake((state) => state.several !== null);
  const hasList = useConverter((state) => state.list !== null);
  const hasChoices = useShowsChoices();
  const hasBar = hasList || hasChoices;
  useFocusOnArrival(input);
  useEarlyText(input, setLink);

  async function start(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    // Its part would be another one than the field shows.
    const untaken = event.currentTarget.querySelector<HTMLElement>("[data-untaken]");
    if (untaken) return untaken.focus();
    const submitting = submit();
    // In a list the visitor goes on choosing.
    if (!isStarting()) return showsList() ? undefined : input.current?.focus();
    // A phone's keyboard would cover the job.
    if (hasTouchKeyboard()) input.current?.blur();
    scrollToJobPlace();
    await submitting;
    // The choices close with the start of a job, and the page above the job may have moved out of the window.
    requestAnimationFrame(scrollToJobPlace);
    if (!hasTouchKeyboard()) input.current?.focus({ preventScroll: true });
  }

  return (
    <form noValidate onSubmit={(event) => void start(event)}>
      <LinkField input={input} {...ids} />
      <JobPlace input={input} problemId={ids.problemId} />
      {hasSeveral && (
        <Suspense>
          <SeveralLinks text={link} isBatch={false} />
        </Suspense>
      )}
      <Flex wrap="wrap" align="center" columnGap="3" rowGap={{ base: "1.5", sm: "2.5" }} pt={{ base: "2.5", sm: "3" }}>
        <FormatRow input={input} {...ids} />
        {!hasBar && <ConvertButton />}
        {/* The place of Convert: the button that opens the choices does not move away from the finger. */}
        {hasBar && !hasList && <Box display={{ base: "none", sm: "block" }} w="8.5rem" />}
      </Flex>
      <ChoicesPlace part="panel" />
      {hasBar && (
        <ConvertBar>
          <Suspense>{hasList ? <ChosenCount /> : <ChosenSize />}</Suspense>
          <ConvertButton />
        </ConvertBar>
      )}
    </form>
  );
}

/** Whether the fields of the choices are shown for the video in the field. */
function useShowsChoices(): boolean {
  const isOpen = useChoices((state) => state.isOpen);
  const isPreviewed = usePreview((state) => state.view.phase === "ready");
  return isOpen && isPreviewed;
}

function LinkField({ input, hintId, problemId }: PartProps) {
  const { link, problem, isPending, setLink } = useConverter((state) => state);
  const texts = useTexts().converter;

  /** Once the browser has pasted a text, its link takes its place. Until then, Enter sends the text to the server. */
  function onPaste(event: ClipboardEvent<HTMLInputElement>): void {
    const text = event.clipboardData.getData("text/plain");
    const { selectionStart, selectionEnd, value } = event.currentTarget;
    // Such as the rest of a link whose beginning is typed.
    const isAmongOthers = selectionStart !== 0 || selectionEnd !== value.length;
    if (mayHoldLink(text)) setTimeout(() => void takeLinks(text, isAmongOthers));
  }

  return (
    <Field data-invalid={problem === null ? undefined : true}>
      <chakra.input
        ref={input}
        type="url"
        name="link"
        aria-label={texts.link}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? hintId : problemId}
        placeholder={texts.linkPlaceholder}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="go"
        value={link}
        readOnly={isPending}
        onChange={(event) => setLink(event.target.value)}
        onPaste={onPaste}
        flex="1"
        minW="0"
        h="12"
        bg="transparent"
        fontSize="lg"
        textOverflow="ellipsis"
        outline="none"
        _focusVisible={{ outline: "none" }}
      />
      <FieldButtons input={input} />
    </Field>
  );
}

/** Cancel stands beside Paste and Convert, not in their places: a finger on its way to one of them does not cancel. */
function FieldButtons({ input }: Pick<PartProps, "input">) {
  const { isPending, cancel } = useConverter((state) => state);
  const texts = useTexts().converter;

  async function paste(): Promise<void> {
    try {
      if (await takeLinks(await navigator.clipboard.readText())) return;
    } catch (error) {
      // The browser refuses or lacks clipboard access; pasting with the keyboard still works.
      if (!(error instanceof DOMException || error instanceof TypeError)) throw error;
    }
    input.current?.focus();
    notify({ kind: "info", ...currentTexts().converter.notices.nothingPasted });
  }

  return (
    <>
      {isPending && (
        <Button variant="outline" size="sm" minW="5.5rem" onClick={cancel}>
          {texts.cancel}
        </Button>
      )}
      {/* The attribute is for first-use/kept-actions.ts. */}
      <Button variant="outline" size="sm" minW="5.5rem" data-paste="" disabled={isPending} onClick={() => void paste()}>
        {texts.paste}
      </Button>
    </>
  );
}

/** The format, its hint, and the sample links. While a job or a list is in the place of the preview, the problem replaces the hint. */
function FormatRow({ input, hintId, problemId }: PartProps) {
  const { link, format, problem, setLink, setFormat } = useConverter((state) => state);
  const sampleLinks = useDevice((state) => state.config?.sampleLinks);
  const isPreviewed = usePreview((state) => state.view.phase === "ready");
  const hasList = useConverter((state) => state.list !== null);
  const texts = useTexts();
  const isPlaceTaken = useHasCurrentJob();
  const opensList = typeof problem === "object" && problem?.code === "playlist";
  const shown = (isPlaceTaken || hasList) && !opensList ? problem : null;
  return (
    <>
      <FormatToggle format={format} onChange={setFormat} />
      <Flex
        flex="1"
        minW={{ base: "full", sm: "0" }}
        minH="11"
        align="center"
        columnGap={{ base: "1", sm: "3" }}
        ps={{ base: "1", sm: "0" }}
      >
        <Box
          id={shown === null ? hintId : problemId}
          textStyle="meta"
          color={shown === null ? "fg.muted" : "bad"}
          fontWeight={shown === null ? 400 : 600}
        >
          {shown === null ? <FormatAdvice format={format} /> : problemSentence(shown, texts)}
        </Box>
        <Spacer />
        <ChoicesPlace part="button" />
        {sampleLinks && sampleLinks.length > 0 && (
          <Suspense>
            {/* Hidden beside a preview, whose choices take its place, and a list; it still has to give the focus back. */}
            <SampleMenu
              isHidden={isPreviewed || hasList}
              links={sampleLinks}
              onPick={setLink}
              onPicked={() => link !== "" && input.current?.focus()}
            />
          </Suspense>
        )}
      </Flex>
    </>
  );
}
