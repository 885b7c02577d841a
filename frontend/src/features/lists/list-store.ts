/** An opened list: its entries, which arrive page by page, the search, and what is chosen. */
import { createStore } from "zustand/vanilla";
import type { StoreApi } from "zustand/vanilla";
import type { ErrorBody } from "../../../../common/errors.ts";
import { isOnTape, MAX_PICTURED_ENTRIES } from "../../../../common/lists.ts";
import type { ListEntry, ListPage } from "../../../../common/lists.ts";
import { TIERS } from "../../../../common/tiers.ts";
import type { Format, Tier } from "../../../../common/tiers.ts";
import { ApiError, isAbort, isFailedCall } from "../../api/errors.ts";
import type { ListApi } from "../../api/list-api.ts";
import { savesData } from "../../platform/data-saver.ts";
import { problemOf } from "./entry-problem.ts";
import { search } from "./search.ts";
import * as choice from "./selection.ts";
import type { Offer, Selection } from "./selection.ts";

/** The next tap is the first or the last entry of a range; for fingers, which have no Shift. */
export type RangeStep = "first" | "last" | null;

export interface ListState {
  /** Null until the first page is there. */
  readonly head: Pick<ListPage, "title" | "album" | "total" | "isCut"> | null;
  readonly entries: readonly ListEntry[];
  readonly isReading: boolean;
  /** Why reading has stopped before the end; `body` is null when the server has not answered. */
  readonly failure: { readonly body: ErrorBody | null } | null;
  readonly query: string;
  /** Indexes of the entries that the search shows. */
  readonly shown: readonly number[];
  readonly selection: Selection;
  readonly rangeStep: RangeStep;
  /** After "All": entries that arrive and have the words of this query are chosen too. */
  readonly comingQuery: string | null;
  /** The visitor wants a tape besides. It is made where {@link tapeProblem} knows nothing against it. */
  readonly asOneFile: boolean;

  /** Reads on from where it has stopped, until the end or until {@link ListState.stop}. Does nothing while it reads. */
  readonly read: () => void;
  readonly stop: () => void;
  /** Resolves when reading has ended, with success or not. */
  readonly whenRead: () => Promise<void>;
  /** Whether entries that are still to be read are chosen already. */
  readonly awaitsMore: () => boolean;
  readonly setQuery: (query: string) => void;
  readonly moveTo: (index: number) => void;
  readonly toggle: (index: number) => void;
  /** Extends the range to the entry. @param isByKey by Shift with an arrow, which begins at the active entry */
  readonly extendTo: (index: number, isByKey: boolean) => void;
  readonly setRangeStep: (step: RangeStep) => void;
  /** A tap or click: chooses the entry, or the end of a range. */
  readonly pick: (index: number) => void;
  /** Chooses all entries that are shown, and those that are still to be read. */
  readonly chooseAll: () => void;
  readonly chooseFirst: (count: number) => void;
  readonly chooseNone: () => void;
  readonly setAsOneFile: (asOneFile: boolean) => void;
}

export interface ListParts {
  readonly link: string;
  readonly load: ListApi["readPage"];
  readonly tier: () => Tier;
}

export type ListStore = ReturnType<typeof createListStore>;

/** Whether only one entry can be chosen. */
export const isSingleIn = (tier: Tier): boolean => TIERS[tier].batchSize === 1;

/** @returns the indexes without those of entries whose link an earlier one of them has */
function withoutRepeats(entries: readonly ListEntry[], indexes: readonly number[]): number[] {
  const links = new Set<string | undefined>();
  return indexes.filter((index) => {
    const link = entries[index]?.link;
    const isRepeat = links.has(link);
    links.add(link);
    return !isRepeat;
  });
}

/** @returns the chosen entries in the order of the list, each link once */
export function chosenEntries({ entries, selection }: Pick<ListState, "entries" | "selection">): ListEntry[] {
  const indexes = [...selection.chosen].toSorted((one, other) => one - other);
  return withoutRepeats(entries, indexes).flatMap((index) => entries[index] ?? []);
}

/** Why what is chosen does not become one file. */
export type TapeProblem = "format" | "few" | "many";

/** @returns null when it can become one */
export function tapeProblem(count: number, format: Format): TapeProblem | null {
  if (!isOnTape(format)) return "format";
  if (count > TIERS.pro.batchSize) return "many";
  return count < 2 ? "few" : null;
}

const EMPTY = {
  head: null,
  entries: [],
  isReading: false,
  failure: null,
  query: "",
  shown: [],
  selection: choice.NOTHING_CHOSEN,
  rangeStep: null,
  comingQuery: null,
  asOneFile: false,
} satisfies Partial<ListState>;

type SetState = StoreApi<ListState>["setState"];
type GetState = StoreApi<ListState>["getState"];

export function createListStore(parts: ListParts) {
  return createStore<ListState>()((set, get) => ({
    ...EMPTY,
    ...readingActions(set, get, parts),
    ...choosingActions(set, get, parts.tier),
  }));
}

function offerOf({ entries, shown }: Pick<ListState, "entries" | "shown">, tier: Tier): Offer {
  return {
    shown,
    canChoose(index) {
      const entry = entries[index];
      return entry !== undefined && problemOf(entry, tier) === null;
    },
    isSingle: isSingleIn(tier),
  };
}

/** @returns what a page changes that has arrived */
function withPage(state: ListState, page: ListPage, tier: Tier): Partial<ListState> {
  const { title, album, total, isCut, offset } = page;
  const entries = [...state.entries.slice(0, offset), ...page.entries];
  const read = { head: { title, album, total, isCut }, entries, shown: search(entries, state.query) };
  if (state.comingQuery === null) return read;
  const arrived = search(entries, state.comingQuery).filter((index) => index >= offset);
  return { ...read, selection: choice.chooseAll(state.selection, offerOf({ entries, shown: arrived }, tier)) };
}

/** Reads page after page, and goes on where it has stopped. */
function readingActions(set: SetState, get: GetState, { link, load, tier }: ListParts) {
  let next: number | null = 0;
  let abort: AbortController | null = null;
  let reading: Promise<void> = Promise.resolve();

  async function readAll(signal: AbortSignal): Promise<void> {
    try {
      while (next !== null) {
        const page = await load({ youtubeUrl: link, offset: next }, signal);
        if (signal.aborted) return;
        set((state) => withPage(state, page, tier()));
        next = page.next;
      }
      set({ isReading: false });
    } catch (error) {
      if (signal.aborted || isAbort(error)) return;
      if (!isFailedCall(error)) throw error;
      set({ isReading: false, failure: { body: (error instanceof ApiError && error.body) || null } });
    }
  }

  /** Making them takes the server some seconds, so the list is shown before. It can be chosen from without them too. */
  async function addPictures(signal: AbortSignal): Promise<void> {
    if (next !== null || savesData() || get().entries.length > MAX_PICTURED_ENTRIES) return;
    try {
      const { entries } = await load({ youtubeUrl: link, thumbnails: true }, signal);
      const pictures = new Map(entries.map((entry) => [entry.link, entry.thumbnail]));
      set((state) => ({
        entries: state.entries.map((entry) => {
          const thumbnail = pictures.get(entry.link);
          return thumbnail === undefined ? entry : { ...entry, thumbnail };
        }),
      }));
    } catch (error) {
      if (!isAbort(error) && !isFailedCall(error)) throw error;
    }
  }

  return {
    read() {
      if (next === null || get().isReading) return;
      abort = new AbortController();
      set({ isReading: true, failure: null });
      const { signal } = abort;
      reading = readAll(signal);
      void reading.then(() => addPictures(signal));
    },
    stop() {
      abort?.abort();
      set({ isReading: false });
    },
    whenRead: () => reading,
    awaitsMore: () => get().comingQuery !== null && get().isReading,
  } satisfies Partial<ListState>;
}

function choosingActions(set: SetState, get: GetState, tier: () => Tier) {
  const select = (change: (selection: Selection, offer: Offer) => Selection, others: Partial<ListState> = {}): void =>
    set((state) => ({ ...others, selection: change(state.selection, offerOf(state, tier())) }));
  /** The first entry of a range is chosen anew, so that it begins there. */
  function pickFirst(index: number): void {
    if (!offerOf(get(), tier()).canChoose(index)) return;
    select((selection, offer) => choice.begin(selection, index, offer), { rangeStep: "last" });
  }
  function pickLast(index: number): void {
    select((selection, offer) => choice.extendTo(selection, index, offer), { rangeStep: null });
  }
  return {
    setQuery(query: string) {
      const shown = search(get().entries, query);
      select((selection) => choice.moveTo(selection, shown[0] ?? null), { query, shown });
    },
    moveTo: (index) => select((selection) => choice.moveTo(selection, index)),
    toggle: (index) => select((selection, offer) => choice.toggle(selection, index, offer)),
    extendTo: (index, isByKey) =>
      select((selection, offer) => (isByKey ? choice.extendByKey : choice.extendTo)(selection, index, offer)),
    setRangeStep: (rangeStep) => set({ rangeStep }),
    pick(index: number) {
      const { rangeStep, toggle } = get();
      if (rangeStep === null) toggle(index);
      else if (rangeStep === "first") pickFirst(index);
      else pickLast(index);
    },
    chooseAll: () => select(choice.chooseAll, { comingQuery: get().query }),
    chooseFirst: (count) =>
      select(
        (selection, offer) =>
          choice.chooseFirst(selection, count, { ...offer, shown: withoutRepeats(get().entries, offer.shown) }),
        { comingQuery: null },
      ),
    chooseNone: () => select(choice.chooseNone, { comingQuery: null }),
    setAsOneFile: (asOneFile) => set({ asOneFile }),
  } satisfies Partial<ListState>;
}
