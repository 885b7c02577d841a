/** What Convert does while a list is shown. */
import type { SelectionAnswer } from "../../../../common/api.ts";
import { MAX_ENTRY_TITLE_LENGTH } from "../../../../common/lists.ts";
import type { ListEntry } from "../../../../common/lists.ts";
import { batch, converter, createSelection } from "../../client/converter.ts";
import type { ChosenEntries } from "../../client/converter.ts";
import { notify } from "../../client/toaster.ts";
import type { RefusedLink } from "../../stores/batch.ts";
import type { ShownList } from "../../stores/converter.ts";
import type { ListTexts } from "../../texts/lists/en.ts";
import { currentTexts, sentenceOf } from "../../texts/store.ts";
import { chosenEntries, tapeProblem } from "./list-store.ts";
import type { ListStore } from "./list-store.ts";

/** @returns what Convert does with the chosen entries: one is converted as a link in the field is, several as batches */
export function chosenFrom(store: ListStore, { nothingChosen }: ListTexts): ShownList {
  return {
    problem: () => (chosenEntries(store.getState()).length === 0 ? { kind: "error", ...nothingChosen } : null),
    async start(signal) {
      // After "All" the entries that are still to be read belong to it.
      if (store.getState().awaitsMore()) await store.getState().whenRead();
      signal.throwIfAborted();
      const state = store.getState();
      const chosen = chosenEntries(state);
      const album = state.head?.album;
      // Of the whole album, and not of what is chosen.
      const tracks = album && chosen.map((entry) => state.entries.indexOf(entry) + 1);
      const [first, second] = chosen;
      if (first && !second) return { ...first, album: album && { ...album, track: tracks?.[0] } };
      const problem = tapeProblem(chosen.length, converter.getState().format);
      const asOneFile = (state.asOneFile && problem === null) || undefined;
      await startSeveral(state.head?.title ?? "", chosen, { album, tracks, asOneFile }, signal);
      return null;
    },
  };
}

async function startSeveral(
  title: string,
  entries: readonly ListEntry[],
  place: Pick<ChosenEntries, "album" | "tracks" | "asOneFile">,
  signal: AbortSignal,
): Promise<void> {
  const urls = entries.map(({ link }) => link);
  const listTitle = title.trim().slice(0, MAX_ENTRY_TITLE_LENGTH).trim() || (urls[0] ?? "");
  reportStart(await createSelection({ title: listTitle, urls, ...place }, signal), entries);
}

/** Shows which entries were not started, until the visitor goes on with another link. */
function showRefused(refused: readonly RefusedLink[]): void {
  batch.setState({ refused });
  const stop = converter.subscribe(({ link }, before) => {
    if (link === "" || link === before.link) return;
    stop();
    batch.setState((state) => (state.refused === refused ? { refused: [] } : {}));
  });
}

function reportStart({ total, refused }: SelectionAnswer, entries: readonly ListEntry[]): void {
  const { notices, refused: refusedText } = currentTexts().converter;
  const { title, description } = notices.batchStarted;
  const [first] = refused;
  if (!first) return notify({ kind: "success", title, description: description(total) });
  showRefused(refused.map((line) => ({ ...line, title: entries[line.line - 1]?.title ?? line.url })));
  notify({
    kind: "error",
    title: notices.batchFailed.title,
    description: `${refusedText(refused.length)}. ${sentenceOf(first)}`,
  });
}
