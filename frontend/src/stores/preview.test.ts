import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Preview } from "../../../common/api.ts";
import type { Tier } from "../../../common/tiers.ts";
import { ApiError } from "../api/api.ts";
import { createPreviewStore } from "./preview.ts";

const LINK = "https://youtu.be/aqz-KE-bpKQ";
const PREVIEW: Preview = {
  title: "Rain on a tin roof",
  thumbnail: null,
  durationSeconds: 192,
  estimates: {
    mp3: { quality: "128kbps", sizeBytes: 3_072_000, fits: true, note: null },
    mp4: { quality: "480p", sizeBytes: null, fits: true, note: null },
  },
};

/** Looks that are answered by the test, each with the signal it was given. */
function previews(savesData = false) {
  const looks: { link: string; thumbnail: boolean; signal: AbortSignal; answer: PromiseWithResolvers<Preview> }[] = [];
  let tier: Tier = "free";
  const store = createPreviewStore({
    look({ youtubeUrl, thumbnail }, signal) {
      const answer = Promise.withResolvers<Preview>();
      signal.addEventListener("abort", () => answer.reject(new DOMException("given up", "AbortError")));
      looks.push({ link: youtubeUrl, thumbnail, signal, answer });
      return answer.promise;
    },
    videoHosts: () => [],
    tier: () => tier,
    savesData: () => savesData,
  });
  const { follow } = store.getState();
  return { looks, follow, view: () => store.getState().view, becomePro: () => (tier = "pro"), store };
}

const type = (follow: (link: string) => void, link: string) =>
  Array.from(link, (_, index) => follow(link.slice(0, index + 1)));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("preview", () => {
  it("looks at a pasted link at once and shows what comes", async () => {
    const { looks, follow, view } = previews();
    follow(` ${LINK} `);
    expect(view()).toEqual({ phase: "loading" });
    expect(looks).toMatchObject([{ link: LINK, thumbnail: true }]);
    looks[0]?.answer.resolve(PREVIEW);
    await vi.runAllTimersAsync();
    expect(view()).toEqual({ phase: "ready", preview: PREVIEW });
  });

  it("waits for typing fingers to rest, and asks once", async () => {
    const { looks, follow, view } = previews();
    type(follow, LINK);
    expect([view().phase, looks.length]).toEqual(["loading", 0]);
    await vi.runAllTimersAsync();
    expect(looks.map(({ link }) => link)).toEqual([LINK]);
  });

  it("gives up a look when the text changes, whatever it would have answered", async () => {
    const { looks, follow, view } = previews();
    follow(LINK);
    follow("");
    expect(looks[0]?.signal.aborted).toBe(true);
    await vi.runAllTimersAsync();
    expect(view()).toEqual({ phase: "none" });
  });

  it.each(["", "cats", "https://example.com/watch", "youtu.be", "https://youtu.be/"])(
    "asks nobody about %j",
    async (link) => {
      const { looks, follow, view } = previews();
      follow(link);
      await vi.runAllTimersAsync();
      expect([looks.length, view().phase]).toEqual([0, "none"]);
    },
  );

  it("does not ask again while nothing changes, but does for another tier", async () => {
    const { looks, follow, becomePro } = previews();
    follow(LINK);
    follow(LINK);
    follow(`${LINK} `);
    becomePro();
    follow(LINK);
    await vi.runAllTimersAsync();
    expect(looks.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  });

  it.each([
    [
      new ApiError(422, "", '{"code":"live","message":"This is a live stream."}'),
      { code: "live", message: "This is a live stream." },
    ],
    [new ApiError(502, "Bad Gateway", "<html>"), null],
    [new TypeError("fetch failed"), null],
  ])("tells of %s in the server's words, if it has any", async (failure, error) => {
    const { looks, follow, view } = previews();
    follow(LINK);
    looks[0]?.answer.reject(failure);
    await vi.runAllTimersAsync();
    expect(view()).toEqual({ phase: "failed", error });
  });

  it("asks for no picture where data is saved", () => {
    const { looks, follow } = previews(true);
    follow(LINK);
    expect(looks).toMatchObject([{ thumbnail: false }]);
  });
});
