import { Box, Button, Flex } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import { Link } from "react-router";
import { useStore } from "zustand";
import { TIERS } from "../../../../common/tiers.ts";
import { useAnnouncement } from "../../client/announcer.ts";
import { useDevice } from "../../client/stores.ts";
import type { ListTexts } from "../../texts/lists/en.ts";
import { useListTexts } from "../../texts/lists/index.ts";
import type { Formats } from "../../texts/format.ts";
import { useFormats, useTexts } from "../../texts/store.ts";
import { chosenEntries, isSingleIn } from "./list-store.ts";
import type { ListStore } from "./list-store.ts";

/** Screen readers hear the count when the visitor has paused, not at every key. */
const PAUSE_MS = 700;

function useAfterPause(text: string): string {
  const [spoken, setSpoken] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSpoken(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return spoken;
}

/** @returns "60 videos: 3 batches of up to 20, one after the other."; empty for a single video */
function batchesText(count: number, texts: ListTexts, formats: Formats): string {
  const { batchSize } = TIERS.pro;
  if (count < 2) return "";
  if (count <= batchSize) return texts.oneBatch(formats.number(count));
  return texts.batches(formats.number(count), formats.number(Math.ceil(count / batchSize)), batchSize);
}

/** How many entries are chosen, and what Convert will do with them; for the free plan, what it allows. */
export function ChosenCount({ store }: { readonly store: ListStore }) {
  const count = useStore(store, (state) => state.selection.chosen.size);
  // A list may name a video twice. It is converted once.
  const videos = useStore(store, (state) => chosenEntries(state).length);
  const total = useStore(store, (state) => state.head?.total ?? null);
  const isSingle = useDevice(({ tier }) => isSingleIn(tier));
  const texts = useListTexts();
  const { upgrade } = useTexts().nav;
  const formats = useFormats();
  const chosen = formats.number(count);
  const countText = total === null ? texts.chosenSoFar(chosen) : texts.chosen(chosen, formats.number(total));
  useAnnouncement("chosen", useAfterPause(countText), "silent");
  return (
    <Flex wrap="wrap" align="center" columnGap="3" rowGap="1" minH="11" textStyle="meta">
      <Box fontWeight={600} color="fg" fontVariantNumeric="tabular-nums">
        {countText}
      </Box>
      {isSingle ? (
        <>
          <Box flex="1" minW="min(14rem, 100%)">
            {texts.single(TIERS.pro.batchSize)}
          </Box>
          <Button variant="outline" size="sm" asChild>
            <Link to="/plans">{upgrade}</Link>
          </Button>
        </>
      ) : (
        batchesText(videos, texts, formats)
      )}
    </Flex>
  );
}
