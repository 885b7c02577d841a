import { describe, expect, it } from "vitest";
import {
  NOTHING_CHOSEN,
  chooseAll,
  chooseFirst,
  chooseNone,
  extendByKey,
  extendTo,
  moveTo,
  toggle,
  type Offer,
} from "./selection.ts";

/** Ten entries, of which the fifth cannot be chosen. */
const OFFER: Offer = {
  shown: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  canChoose: (index) => index !== 4,
  isSingle: false,
};
const SINGLE: Offer = { ...OFFER, isSingle: true };
const chosen = ({ chosen }: { chosen: ReadonlySet<number> }): number[] => [...chosen].sort((a, b) => a - b);

describe("one entry", () => {
  it("is chosen and taken back", () => {
    const once = toggle(NOTHING_CHOSEN, 3, OFFER);
    expect(chosen(once)).toEqual([3]);
    expect(chosen(toggle(once, 3, OFFER))).toEqual([]);
  });

  it("becomes active only, when it cannot be chosen", () =>
    expect(toggle(NOTHING_CHOSEN, 4, OFFER)).toMatchObject({ chosen: new Set(), active: 4 }));

  it("replaces the earlier choice where one is the most", () => {
    const first = toggle(NOTHING_CHOSEN, 3, SINGLE);
    expect(chosen(toggle(first, 5, SINGLE))).toEqual([5]);
    expect(chosen(extendTo(first, 7, SINGLE))).toEqual([3]);
  });
});

describe("a range", () => {
  it("goes from the last change to the entry, in both directions, without what cannot be chosen", () => {
    const anchored = toggle(NOTHING_CHOSEN, 6, OFFER);
    expect(chosen(extendTo(anchored, 2, OFFER))).toEqual([2, 3, 5, 6]);
    expect(chosen(extendTo(anchored, 8, OFFER))).toEqual([6, 7, 8]);
  });

  it("shrinks again and keeps what was chosen before it", () => {
    const before = toggle(toggle(NOTHING_CHOSEN, 9, OFFER), 1, OFFER);
    const wide = extendTo(before, 9, OFFER);
    expect(chosen(wide)).toEqual([1, 2, 3, 5, 6, 7, 8, 9]);
    expect(chosen(extendTo(wide, 2, OFFER))).toEqual([1, 2, 9]);
  });

  it("takes back what it reaches when it begins at an entry that was taken back", () => {
    const all = chooseAll(NOTHING_CHOSEN, OFFER);
    expect(chosen(extendTo(toggle(all, 0, OFFER), 7, OFFER))).toEqual([8, 9]);
  });

  it("begins by key at the active entry", () => {
    const active = moveTo(toggle(NOTHING_CHOSEN, 0, OFFER), 6);
    const one = extendByKey(active, 7, OFFER);
    expect(chosen(one)).toEqual([0, 6, 7]);
    expect(chosen(extendByKey(extendByKey(one, 6, OFFER), 5, OFFER))).toEqual([0, 5, 6]);
  });

  it("has only entries that the search shows", () => {
    const found: Offer = { ...OFFER, shown: [1, 5, 8] };
    expect(chosen(extendTo(toggle(NOTHING_CHOSEN, 1, found), 8, found))).toEqual([1, 5, 8]);
  });
});

describe("many at once", () => {
  it("are all that are shown, beside those chosen before", () =>
    expect(chosen(chooseAll(toggle(NOTHING_CHOSEN, 9, OFFER), { ...OFFER, shown: [3, 4, 5] }))).toEqual([3, 5, 9]));

  it("are the first that can be chosen, and no others", () =>
    expect(chosen(chooseFirst(toggle(NOTHING_CHOSEN, 9, OFFER), 5, OFFER))).toEqual([0, 1, 2, 3, 5]));

  it("are taken back together", () => expect(chosen(chooseNone(chooseAll(NOTHING_CHOSEN, OFFER)))).toEqual([]));
});
