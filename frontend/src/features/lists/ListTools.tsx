import { Box, Button, Flex } from "@chakra-ui/react";
import { useStore } from "zustand";
import { TIERS } from "../../../../common/tiers.ts";
import { useAnnouncement } from "../../client/announcer.ts";
import { useDevice } from "../../client/stores.ts";
import { Input } from "../../components/Input.tsx";
import { useListTexts } from "../../texts/lists/index.ts";
import { isSingleIn } from "./list-store.ts";
import type { ListStore } from "./list-store.ts";

/** Search in the titles and, where several videos may be chosen, buttons that choose many at once. */
export function ListTools({ store }: { readonly store: ListStore }) {
  const query = useStore(store, (state) => state.query);
  const isSingle = useDevice(({ tier }) => isSingleIn(tier));
  const { setQuery } = store.getState();
  const texts = useListTexts();
  return (
    <Flex wrap="wrap" gap="2" align="center">
      <Input
        type="search"
        name="titles"
        aria-label={texts.search}
        placeholder={texts.search}
        autoComplete="off"
        enterKeyHint="search"
        minH="11"
        flex="1"
        minW="min(11rem, 100%)"
        w="auto"
        fontSize="sm"
        value={query}
        onChange={({ target }) => setQuery(target.value)}
        // Enter would start the conversion.
        onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
      />
      {!isSingle && <ChooseMany store={store} />}
    </Flex>
  );
}

function ChooseMany({ store }: { readonly store: ListStore }) {
  const rangeStep = useStore(store, (state) => state.rangeStep);
  const { chooseAll, chooseFirst, chooseNone, setRangeStep } = store.getState();
  const texts = useListTexts();
  const { batchSize } = TIERS.pro;
  const step = rangeStep === null ? "" : rangeStep === "first" ? texts.rangeFirst : texts.rangeLast;
  useAnnouncement("range", step);
  const button = { variant: "outline", size: "sm" } as const;
  return (
    <Flex wrap="wrap" gap="2" align="center">
      <Button {...button} onClick={chooseAll}>
        {texts.all}
      </Button>
      <Button {...button} onClick={() => chooseFirst(batchSize)}>
        {texts.first(batchSize)}
      </Button>
      <Button {...button} onClick={chooseNone}>
        {texts.none}
      </Button>
      <Button
        {...button}
        aria-pressed={rangeStep !== null}
        css={{ "&[aria-pressed=true]": { bg: "accent.soft", borderColor: "accent.text" } }}
        onClick={() => setRangeStep(rangeStep === null ? "first" : null)}
      >
        {texts.range}
      </Button>
      <Box textStyle="meta">{step}</Box>
    </Flex>
  );
}
