/** An opened list: its entries, which arrive page by page, the search, and what is chosen. */
import { createStore } from "zustand/vanilla";
import { ZodError } from "zod";
import type { ErrorBody } from "../../../../common/errors.ts";
import type { ListEntry, ListPage } from "../../../../common/lists.ts";
import { TIERS } from "../../../../common/tiers.ts";
import type { Tier } from "../../../../common/tiers.ts";
import { ApiError, isAbort } from "../../api/errors.ts";
import type { ListApi } from "../../api/list-api.ts";
import { problemOf } from "./entry-problem.ts";
import { search } from "./search.ts";
import * as choice from "./selection.ts";
import type { Offer, Selection } from "./selection.ts";

/** The next tap is the first or the last entry of a range; for fingers, which have no Shift. */
export type RangeStep = "first" | "last" | null;

export interface ListState {
  /** Null until the first page is there. */
  readonly head: Pick<ListPage, "title" | "total" | "isCut"> | null;
  readonly entries: readonly ListEntry[];
  readonly isReading: boolean;
  /** Why reading has stopped before the end; `body` is null when the server has not answered. */
  readonly failure: { readonly body: ErrorBody | null } | null;
  readonly query: string;
  /** Indexes of the entries that the search shows. */
  readonly shown: readonly number[];
  readonly selection: Selection;
  readonly rangeStep: RangeStep;

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
}

export interface ListParts {
  readonly link: string;
  readonly load: ListApi["readPage"];
  readonly tier: () => Tier;
}

export type ListStore = ReturnType<typeof createListStore>;

/** Whether only one entry can be chosen. */
export const isSingleIn = (tier: Tier): boolean => TIERS[tier].batchSize === 1;

/** @returns the chosen entries in the order of the list, each link once */
export function chosenEntries({ entries, selection }: Pick<ListState, "entries" | "selection">): ListEntry[] {
  const byLink = new Map<string, ListEntry>();
  entries.forEach((entry, index) => {
    if (selection.chosen.has(index) && !byLink.has(entry.link)) byLink.set(entry.link, entry);
  });
  return [...byLink.values()];
}

export function createListStore({ link, load, tier }: ListParts) {
  let next: number | null = 0;
  let abort: AbortController | null = null;
  let reading: Promise<void> = Promise.resolve();
  /** After "All": entries that arrive and have the words of this query are chosen too. */
  let comingQuery: string | null = null;

  return createStore<ListState>()((set, get) => {
    const offer = (): Offer => ({
      shown: get().shown,
      canChoose(index) {
        const entry = get().entries[index];
        return entry !== undefined && problemOf(entry, tier()) === null;
      },
      isSingle: isSingleIn(tier()),
    });
    const select = (change: (selection: Selection, offer: Offer) => Selection): void =>
      set(({ selection }) => ({ selection: change(selection, offer()) }));

    function receive(page: ListPage): void {
      const first = page.offset;
      const entries = [...get().entries.slice(0, first), ...page.entries];
      const { title, total, isCut } = page;
      set(({ query }) => ({ head: { title, total, isCut }, entries, shown: search(entries, query) }));
      next = page.next;
      if (comingQuery === null) return;
      const arrived = search(entries, comingQuery).filter((index) => index >= first);
      select((selection, own) => choice.chooseAll(selection, { ...own, shown: arrived }));
    }

    async function readAll(signal: AbortSignal): Promise<void> {
      try {
        while (next !== null) {
          const page = await load({ youtubeUrl: link, offset: next }, signal);
          if (signal.aborted) return;
          receive(page);
        }
        set({ isReading: false });
      } catch (error) {
        if (signal.aborted || isAbort(error)) return;
        if (!(error instanceof ApiError || error instanceof TypeError || error instanceof ZodError)) throw error;
        set({ isReading: false, failure: { body: (error instanceof ApiError && error.body) || null } });
      }
    }

    return {
      head: null,
      entries: [],
      isReading: false,
      failure: null,
      query: "",
      shown: [],
      selection: choice.NOTHING_CHOSEN,
      rangeStep: null,

      read() {
        if (next === null || get().isReading) return;
        abort = new AbortController();
        set({ isReading: true, failure: null });
        reading = readAll(abort.signal);
      },
      stop() {
        abort?.abort();
        set({ isReading: false });
      },
      whenRead: () => reading,
      awaitsMore: () => comingQuery !== null && get().isReading,
      setQuery(query) {
        const shown = search(get().entries, query);
        set(({ selection }) => ({ query, shown, selection: choice.moveTo(selection, shown[0] ?? null) }));
      },
      moveTo: (index) => select((selection) => choice.moveTo(selection, index)),
      toggle: (index) => select((selection, own) => choice.toggle(selection, index, own)),
      extendTo: (index, isByKey) =>
        select((selection, own) => (isByKey ? choice.extendByKey : choice.extendTo)(selection, index, own)),
      setRangeStep: (rangeStep) => set({ rangeStep }),
      pick(index) {
        const { rangeStep, selection } = get();
        if (rangeStep === "last") {
          select((before, own) => choice.extendTo(before, index, own));
          set({ rangeStep: null });
        } else if (rangeStep === "first") {
          if (!offer().canChoose(index)) return;
          const before = { ...selection, chosen: new Set(selection.chosen) };
          before.chosen.delete(index);
          set({ selection: choice.toggle(before, index, offer()), rangeStep: "last" });
        } else get().toggle(index);
      },
      chooseAll() {
        comingQuery = get().query;
        select(choice.chooseAll);
      },
      chooseFirst(count) {
        comingQuery = null;
        select((selection, own) => choice.chooseFirst(selection, count, own));
      },
      chooseNone() {
        comingQuery = null;
        select(choice.chooseNone);
      },
    };
  });
}
