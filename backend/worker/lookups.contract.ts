/** The contract of what looks at links before they are converted: of the tools' own, and of what stands for it in tests. */
import { describe, expect, it } from "vitest";
import { estimateOf, Preview } from "../../common/api.ts";
import { ConversionError } from "../../common/errors.ts";
import { Format, qualityFor, Tier, tierConvertsTo } from "../../common/tiers.ts";
import type { Runtime } from "../runtime/runtime.ts";

export interface LookupsUnderTest {
  readonly lookups: NonNullable<Runtime["lookups"]>;
  /** A video of at least ten seconds with a picture. */
  readonly video: string;
  /** A list of at least three entries. */
  readonly list: string;
  readonly gone: string;
  /** Is read until the reading is aborted. */
  readonly held: string;
  /** Resolves when the held link is being read for the `count`th time. */
  readonly untilHeld: (count: number) => Promise<unknown>;
}

/**
 * Registers the tests.
 * @param given called when the tests run
 */
export function describeLookups(given: () => LookupsUnderTest): void {
  const never = new AbortController().signal;
  const preview = (link: string, signal = never, tier: Tier = "free", choices = {}) =>
    given().lookups.previews.create(link, tier, choices, signal);
  const list = (link: string, signal = never, most = 10) => given().lookups.lists.read(link, most, signal);

  describe("a preview", () => {
    it.each(Tier.options)("has title, picture, length and an estimate for each format, for %s", async (tier) => {
      const made = await preview(given().video, never, tier);
      // Our pages know all of it.
      expect(Preview.parse(made)).toEqual(made);
      expect(made.title).not.toBe("");
      expect(made.thumbnail).toMatch(/^data:image\/jpeg;base64,\/9j\//);
      expect(made.durationSeconds).toBeGreaterThan(10);
      for (const format of Format.options) {
        const estimate = estimateOf(made, format);
        expect(estimate).toMatchObject({ quality: qualityFor(tier, format), fits: expect.any(Boolean) });
        expect(estimate?.error?.code === "pro_required").toBe(!tierConvertsTo(tier, format));
      }
    });

    it("is estimated for what is chosen, and has the length of the whole video", async () => {
      const whole = await preview(given().video);
      const part = await preview(given().video, never, "free", { part: { startSeconds: 2, endSeconds: 7 } });
      expect(part.durationSeconds).toBe(whole.durationSeconds);
      expect(part.estimates.mp3.sizeBytes).toBe(5 * 16_000);
    });
  });

  it("a list has title, links and titles, and no more entries than are needed", async () => {
    const { title, entries, statedCount } = await list(given().list, never, 2);
    expect(title).not.toBe("");
    expect(entries).toHaveLength(2);
    for (const entry of entries)
      expect(entry).toMatchObject({ link: expect.stringMatching(/^https?:/), title: expect.stringMatching(/./) });
    expect(new Set(entries.map(({ link }) => link)).size).toBe(2);
    expect(statedCount ?? Infinity).toBeGreaterThan(2);
  });

  let heldCount = 0;
  describe.each([
    ["preview", preview],
    ["list", list],
  ])("a %s", (_, read) => {
    it("of what is gone is refused with the code of that", async () => {
      const refused = read(given().gone);
      await expect(refused).rejects.toBeInstanceOf(ConversionError);
      await expect(refused).rejects.toMatchObject({ code: "unavailable" });
    });

    it("ends with the reason of the signal when it is aborted", async () => {
      const abort = new AbortController();
      const reason = new Error("left");
      const { held, untilHeld } = given();
      heldCount += 1;
      const isHeld = untilHeld(heldCount).then(() => abort.abort(reason));
      await Promise.all([expect(read(held, abort.signal)).rejects.toBe(reason), isHeld]);
    });

    it("is not begun when it is aborted already", async () => {
      const reason = new Error("early");
      await expect(read(given().video, AbortSignal.abort(reason))).rejects.toBe(reason);
    });
  });
}
