import { describe, expect, it } from "vitest";
import type { Estimate, Preview } from "../../../common/api.ts";
import type { ErrorCode } from "../../../common/errors.ts";
import { TIERS } from "../../../common/tiers.ts";
import type { PreviewView } from "./preview.ts";
import { refusalOf } from "./refusal.ts";

const FITS: Estimate = { quality: "128kbps", sizeBytes: 1_000, fits: true, note: null };
const REASON = { name: "longer_than_plan", maxSeconds: 1_200, proMaxSeconds: TIERS.pro.maxDurationSeconds } as const;
const ERROR = { code: "too_long", message: "Too long.", reason: REASON } as const;
const TOO_LONG: Estimate = { ...FITS, fits: false, note: ERROR.message, error: ERROR };

const ready = (estimates: Partial<Preview["estimates"]>, durationSeconds: number | null = 60): PreviewView => ({
  phase: "ready",
  preview: { title: "Rain", thumbnail: null, durationSeconds, estimates: { mp3: FITS, mp4: FITS, ...estimates } },
});
const failed = (code: ErrorCode): PreviewView => ({ phase: "failed", error: { code, message: "Because." } });
const NO_WAY_OUT = { otherFormat: null, isLiftedByPro: false, isLiftedByPart: false, isLongerThanPro: false };

it.each<[string, PreviewView]>([
  ["there is no link", { phase: "none" }],
  ["the preview is under way", { phase: "loading" }],
  ["the preview has no answer", { phase: "failed", error: null }],
  ["the site is busy", failed("busy")],
  ["there were too many previews", failed("rate_limited")],
  ["both formats fit", ready({})],
  ["only the other format does not fit", ready({ mp4: TOO_LONG })],
])("starts a conversion while %s", (_, view) => expect(refusalOf(view, "mp3", "free")).toBeNull());

it.each(["private", "unavailable", "live", "playlist"] as const)("starts none of a video that is %s", (code) =>
  expect(refusalOf(failed(code), "mp3", "free")).toEqual({ error: { code, message: "Because." }, ...NO_WAY_OUT }),
);

describe("a format that does not fit", () => {
  it("has the other format as its way out, where that fits", () =>
    expect(refusalOf(ready({ mp4: { ...FITS, fits: false } }), "mp4", "free")).toEqual({
      error: null,
      ...NO_WAY_OUT,
      otherFormat: "mp3",
    }));

  it.each([
    ["free", TIERS.pro.maxDurationSeconds, true, false],
    ["free", TIERS.pro.maxDurationSeconds + 1, false, true],
    ["pro", TIERS.pro.maxDurationSeconds + 1, false, false],
  ] as const)("is lifted by Pro up to its own limit: %s, %s s", (tier, seconds, isLiftedByPro, isLongerThanPro) =>
    expect(refusalOf(ready({ mp3: TOO_LONG, mp4: TOO_LONG }, seconds), "mp3", tier)).toEqual({
      error: null,
      otherFormat: null,
      isLiftedByPro,
      isLiftedByPart: true,
      isLongerThanPro,
    }),
  );

  it.each([
    ["too_long", 10_000, true],
    ["too_large", 10_000, true],
    ["too_long", null, false],
    ["unavailable", 10_000, false],
  ] as const)("may be lifted by a part: %s, %s s", (code, seconds, isLiftedByPart) => {
    const view = ready({ mp3: { ...TOO_LONG, error: { ...ERROR, code } } }, seconds);
    expect(refusalOf(view, "mp3", "pro")).toMatchObject({ isLiftedByPart });
  });

  it("is lifted by Pro when only Pro has it, and starts where the server sends no estimate of it", () => {
    const error = { code: "pro_required", message: "FLAC is for Pro only." } as const;
    const flac: Estimate = { ...FITS, quality: "lossless", fits: false, note: error.message, error };
    const view = ready({});
    const withFlac: PreviewView =
      view.phase === "ready" ? { ...view, preview: { ...view.preview, moreEstimates: { flac } } } : view;
    expect(refusalOf(withFlac, "flac", "free")).toEqual({
      error: null,
      ...NO_WAY_OUT,
      otherFormat: "mp3",
      isLiftedByPro: true,
    });
    expect(refusalOf(withFlac, "wav", "free")).toBeNull();
  });
});
