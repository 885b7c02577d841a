import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { TIERS } from "../../../../common/tiers.ts";
import { useAnnouncement } from "../../client/announcer.ts";
import { useConverter } from "../../client/converter.ts";
import type { ListTexts } from "../../texts/lists/en.ts";
import { useListTexts } from "../../texts/lists/index.ts";
import type { Formats } from "../../texts/format.ts";
import { useFormats } from "../../texts/store.ts";
import { BarText } from "../converter/ConvertBar.tsx";
import { chosenEntries } from "./list-store.ts";
import { openList } from "./opened-list.ts";

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

/** How many entries are chosen from the list whose link is in the field, and what Convert will do with them. */
export default function ChosenCount() {
  const link = useConverter((state) => state.link.trim());
  const store = openList(link);
  const count = useStore(store, (state) => state.selection.chosen.size);
  // A list may name a video twice. It is converted once.
  const videos = useStore(store, (state) => chosenEntries(state).length);
  const total = useStore(store, (state) => state.head?.total ?? null);
  const texts = useListTexts();
  const formats = useFormats();
  const chosen = formats.number(count);
  const countText = total === null ? texts.chosenSoFar(chosen) : texts.chosen(chosen, formats.number(total));
  useAnnouncement("chosen", useAfterPause(countText), "silent");
  return <BarText about={countText}>{batchesText(videos, texts, formats)}</BarText>;
}
