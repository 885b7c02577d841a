import "./read-text.ts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Part } from "../../../common/choices.ts";
import type { Preview } from "../../../common/api.ts";
import type { Tier } from "../../../common/tiers.ts";
import { ApiError } from "../api/errors.ts";
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

/** Preview requests that the test answers, each with its abort signal. */
function previews(savesData = false) {
  const requests: {
    link: string;
    thumbnail: boolean;
    part: Part | undefined;
    wantsSubtitles: boolean;
    signal: AbortSignal;
    answer: PromiseWithResolvers<Preview>;
  }[] = [];
  let tier: Tier = "free";
  const store = createPreviewStore({
    load({ youtubeUrl, thumbnail = true, choices }, signal) {
      const answer = Promise.withResolvers<Preview>();
      signal.addEventListener("abort", () => answer.reject(new DOMException("aborted", "AbortError")));
      const wantsSubtitles = choices?.subtitles !== undefined;
      requests.push({ link: youtubeUrl, thumbnail, part: choices?.part, wantsSubtitles, signal, answer });
      return answer.promise;
    },
    videoHosts: () => [],
    tier: () => tier,
    savesData: () => savesData,
  });
  const { follow } = store.getState();
  return { requests, follow, view: () => store.getState().view, becomePro: () => (tier = "pro"), store };
}

const type = (follow: (link: string) => void, link: string) =>
  Array.from(link, (_, index) => follow(link.slice(0, index + 1)));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("preview", () => {
  it("does not show the failure of an earlier link that comes when the next one is there", async () => {
    const { requests, follow, view } = previews();
    follow(LINK);
    requests[0]?.answer.reject(new TypeError("network"));
    follow("https://youtu.be/dQw4w9WgXcQ");
    await vi.runAllTimersAsync();
    expect(requests).toHaveLength(2);
    expect(view()).toEqual({ phase: "loading" });
  });

  it("requests the preview of a pasted link at once", async () => {
    const { requests, follow, view } = previews();
    follow(` ${LINK} `);
    expect(view()).toEqual({ phase: "loading" });
    expect(requests).toMatchObject([{ link: LINK, thumbnail: true }]);
    requests[0]?.answer.resolve(PREVIEW);
    await vi.runAllTimersAsync();
    expect(view()).toEqual({ phase: "ready", preview: PREVIEW });
  });

  it("requests the preview of a typed link once, after a pause", async () => {
    const { requests, follow, view } = previews();
    type(follow, LINK);
    expect([view().phase, requests.length]).toEqual(["loading", 0]);
    await vi.runAllTimersAsync();
    expect(requests.map(({ link }) => link)).toEqual([LINK]);
  });

  it("aborts a request when the text changes and ignores its answer", async () => {
    const { requests, follow, view } = previews();
    follow(LINK);
    follow("");
    expect(requests[0]?.signal.aborted).toBe(true);
    await vi.runAllTimersAsync();
    expect(view()).toEqual({ phase: "none" });
  });

  it("is asked for again at once when the visitor retries it", async () => {
    const { requests, follow, view, store } = previews();
    follow(LINK);
    requests[0]?.answer.reject(new TypeError("no network"));
    await vi.runAllTimersAsync();
    expect(view()).toEqual({ phase: "failed", error: null });
    store.getState().retry();
    expect(view()).toEqual({ phase: "loading" });
    expect(requests.map(({ link }) => link)).toEqual([LINK, LINK]);
    requests[1]?.answer.resolve(PREVIEW);
    await vi.runAllTimersAsync();
    expect(view()).toEqual({ phase: "ready", preview: PREVIEW });
  });

  describe("of a video whose subtitles the site withheld", () => {
    const details = { soundLanguages: [], chapters: [], subtitles: [] };
    const WITHHELD: Preview = { ...PREVIEW, details: { ...details, withholdsSubtitles: true } };
    const subtitles = [{ language: "en", isAutomatic: false }];
    const GIVEN: Preview = { ...PREVIEW, details: { ...details, subtitles } };

    async function show(preview: Preview) {
      const own = previews();
      own.follow(LINK);
      own.requests[0]?.answer.resolve(preview);
      await vi.runAllTimersAsync();
      return { ...own, askForSubtitles: () => own.store.getState().askForSubtitles() };
    }

    it("asks for them once, when the visitor chooses some, and shows the video meanwhile", async () => {
      const { requests, view, askForSubtitles } = await show(WITHHELD);
      askForSubtitles();
      askForSubtitles();
      expect(requests.map(({ wantsSubtitles }) => wantsSubtitles)).toEqual([false, true]);
      expect(view()).toEqual({ phase: "ready", preview: WITHHELD });
      requests[1]?.answer.resolve(GIVEN);
      await vi.runAllTimersAsync();
      expect(view()).toEqual({ phase: "ready", preview: GIVEN });
    });

    it("keeps asking for them with the sizes of a part, and not for the next video", async () => {
      const { requests, follow, askForSubtitles } = await show(WITHHELD);
      askForSubtitles();
      follow(LINK, { startSeconds: 5, endSeconds: 9 });
      await vi.runAllTimersAsync();
      follow("https://youtu.be/dQw4w9WgXcQ");
      await vi.runAllTimersAsync();
      expect(requests.map(({ wantsSubtitles }) => wantsSubtitles)).toEqual([false, true, true, false]);
    });

    it("keeps the sizes when they cannot be asked for", async () => {
      const { requests, view, askForSubtitles } = await show(WITHHELD);
      askForSubtitles();
      requests[1]?.answer.reject(new TypeError("network"));
      await vi.runAllTimersAsync();
      expect(view()).toEqual({ phase: "ready", preview: WITHHELD });
    });

    it("asks nothing where they are there", async () => {
      const { requests, askForSubtitles } = await show(GIVEN);
      askForSubtitles();
      expect(requests).toHaveLength(1);
    });
  });

  describe("of a part", () => {
    const part = { startSeconds: 5, endSeconds: 9 };
    const OF_PART: Preview = {
      ...PREVIEW,
      estimates: { ...PREVIEW.estimates, mp3: { ...PREVIEW.estimates.mp3, sizeBytes: 64_000 } },
    };

    async function ready() {
      const own = previews();
      own.follow(LINK);
      own.requests[0]?.answer.resolve(PREVIEW);
      await vi.runAllTimersAsync();
      return own;
    }

    it("asks for its sizes once the handles rest, and shows the video meanwhile", async () => {
      const { requests, follow, view } = await ready();
      follow(LINK, { ...part, endSeconds: 8 });
      follow(LINK, part);
      expect(view()).toEqual({ phase: "ready", preview: PREVIEW });
      await vi.runAllTimersAsync();
      expect(requests.slice(1).map((request) => request.part)).toEqual([part]);
      requests[1]?.answer.resolve(OF_PART);
      await vi.runAllTimersAsync();
      expect(view()).toEqual({ phase: "ready", preview: OF_PART });
      follow(LINK, part);
      await vi.runAllTimersAsync();
      expect(requests).toHaveLength(2);
    });

    it("shows the video without sizes when they cannot be asked for", async () => {
      const { requests, follow, view } = await ready();
      follow(LINK, part);
      await vi.runAllTimersAsync();
      requests[1]?.answer.reject(new TypeError("no network"));
      await vi.runAllTimersAsync();
      expect(view()).toMatchObject({ phase: "ready", preview: { estimates: { mp3: { sizeBytes: null } } } });
    });
  });

  it.each(["", "cats", "https://example.com/watch", "youtu.be", "https://youtu.be/"])(
    "sends no request for %j",
    async (link) => {
      const { requests, follow, view } = previews();
      follow(link);
      await vi.runAllTimersAsync();
      expect([requests.length, view().phase]).toEqual([0, "none"]);
    },
  );

  it("requests again only for another tier while the link stays the same", async () => {
    const { requests, follow, becomePro } = previews();
    follow(LINK);
    follow(LINK);
    follow(`${LINK} `);
    becomePro();
    follow(LINK);
    await vi.runAllTimersAsync();
    expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  });

  it.each([
    [
      new ApiError(422, "", '{"code":"live","message":"This is a live stream."}'),
      { code: "live", message: "This is a live stream." },
    ],
    [new ApiError(502, "Bad Gateway", "<html>"), null],
    [new TypeError("fetch failed"), null],
  ])("shows %s with the server's error, if it has one", async (failure, error) => {
    const { requests, follow, view } = previews();
    follow(LINK);
    requests[0]?.answer.reject(failure);
    await vi.runAllTimersAsync();
    expect(view()).toEqual({ phase: "failed", error });
  });

  it("requests no thumbnail in data-saver mode", () => {
    const { requests, follow } = previews(true);
    follow(LINK);
    expect(requests).toMatchObject([{ thumbnail: false }]);
  });
});
