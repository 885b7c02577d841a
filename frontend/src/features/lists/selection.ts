/** Which entries of a list are chosen. Pure. Entries are named by their index in the list. */

export interface Selection {
  readonly chosen: ReadonlySet<number>;
  /** The entry that keys act on. */
  readonly active: number | null;
  /** The entry that was chosen or taken back last: a range begins there. */
  readonly anchor: number | null;
  /** The range that is being extended; it may shrink again, so what was chosen before it is kept. */
  readonly range: Range | null;
}

interface Range {
  readonly from: number;
  readonly before: ReadonlySet<number>;
  /** Whether the range chooses entries or takes them back. */
  readonly adds: boolean;
}

/** The entries that a change is about. */
export interface Offer {
  /** Those that the search shows, in ascending order. */
  readonly shown: readonly number[];
  readonly canChoose: (index: number) => boolean;
  /** Whether a new choice replaces the earlier one. */
  readonly isSingle: boolean;
}

export const NOTHING_CHOSEN: Selection = { chosen: new Set(), active: null, anchor: null, range: null };

export function moveTo(selection: Selection, active: number | null): Selection {
  return { ...selection, active, range: null };
}

/** Chooses an entry or takes it back. One that cannot be chosen only becomes active. */
export function toggle(selection: Selection, index: number, { canChoose, isSingle }: Offer): Selection {
  if (!canChoose(index)) return moveTo(selection, index);
  const chosen = new Set(isSingle ? [] : selection.chosen);
  if (selection.chosen.has(index)) chosen.delete(index);
  else chosen.add(index);
  return { chosen, active: index, anchor: index, range: null };
}

/** Chooses an entry, also one that is chosen already: a range begins there. */
export function begin(selection: Selection, index: number, offer: Offer): Selection {
  const chosen = new Set(selection.chosen);
  chosen.delete(index);
  return toggle({ ...selection, chosen }, index, offer);
}

/** Extends the range to an entry: from where it began before, else from the last changed entry. */
export function extendTo(selection: Selection, index: number, offer: Offer): Selection {
  return extend(selection, selection.range?.from ?? selection.anchor ?? selection.active ?? index, index, offer);
}

/** Extends the range to an entry: from where it began before, else from the active entry, as Shift with an arrow does. */
export function extendByKey(selection: Selection, index: number, offer: Offer): Selection {
  return extend(selection, selection.range?.from ?? selection.active ?? index, index, offer);
}

function extend(selection: Selection, from: number, to: number, offer: Offer): Selection {
  if (offer.isSingle) return moveTo(selection, to);
  const range: Range = selection.range ?? {
    from,
    before: selection.chosen,
    // A range that begins at an entry that was taken back takes back the others too.
    adds: from !== selection.anchor || selection.chosen.has(from),
  };
  const chosen = new Set(range.before);
  for (const index of offer.shown) {
    if (index < Math.min(from, to) || index > Math.max(from, to) || !offer.canChoose(index)) continue;
    if (range.adds) chosen.add(index);
    else chosen.delete(index);
  }
  return { chosen, active: to, anchor: from, range };
}

/** Chooses what is shown, beside what is chosen already. */
export function chooseAll(selection: Selection, { shown, canChoose }: Offer): Selection {
  return { ...selection, chosen: new Set([...selection.chosen, ...shown.filter(canChoose)]), range: null };
}

/** Chooses the first entries that are shown, and no others. */
export function chooseFirst(selection: Selection, count: number, { shown, canChoose }: Offer): Selection {
  return { ...selection, chosen: new Set(shown.filter(canChoose).slice(0, count)), range: null };
}

export function chooseNone(selection: Selection): Selection {
  return { ...selection, chosen: new Set(), anchor: null, range: null };
}
