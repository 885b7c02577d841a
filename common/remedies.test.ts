import { describe, expect, it } from "vitest";
import { ConversionErrorCode, exactly, REMEDIES, RequestErrorCode, SENTENCES } from "./errors.ts";
import { Job } from "./job.ts";
import {
  canRetry,
  canRetryPreview,
  isCertainToFail,
  isLiftedByOtherChoices,
  isLiftedByPart,
  isLiftedByPro,
  otherFormatFor,
} from "./remedies.ts";
import { qualityFor, TIERS } from "./tiers.ts";

const PRO_SECONDS = TIERS.pro.maxDurationSeconds;
const LONGER = { name: "longer_than_plan", maxSeconds: 1_200, proMaxSeconds: PRO_SECONDS } as const;
const LONGER_THAN_PRO = { name: "longer_than_plan", maxSeconds: PRO_SECONDS, proMaxSeconds: null } as const;
const TOO_LARGE_FOR_PRO = { name: "file_too_large", neededBytes: 9e8, maxBytes: 5e7, proMaxBytes: null } as const;

function failed(code: ConversionErrorCode, fields: Partial<Record<string, unknown>> = {}) {
  const job = Job.parse({
    id: "one",
    title: "A clip",
    format: "mp3",
    quality: "128kbps",
    status: "failed",
    progress: 0,
    attempt: 1,
    createdAt: "2026-01-01T12:00:00.000Z",
    updatedAt: "2026-01-01T12:00:00.000Z",
    // The sentence never decides: pages of other languages and clients read the reason.
    error: { code, message: "Beyond the plan.", reason: LONGER },
    ...fields,
  });
  if (job.status !== "failed") throw new Error("the job has not failed");
  return job;
}

it("decides what helps for every code of a conversion, and for no other", () =>
  expect(Object.keys(REMEDIES).sort()).toEqual([...ConversionErrorCode.options].sort()));

describe("a retry", () => {
  const helped = new Set(["live", "site_blocked", "site_changed", "busy", "network", "timeout", "storage", "internal"]);
  it.each(ConversionErrorCode.options)("of a job that failed with %s is offered if it can help", (code) =>
    expect(canRetry(failed(code, { quality: "320kbps" }), "pro")).toBe(helped.has(code)),
  );

  it.each(["too_long", "too_large"] as const)("after %s is offered to a free job once its owner has Pro", (code) => {
    expect(canRetry(failed(code), "free")).toBe(false);
    expect(canRetry(failed(code), "pro")).toBe(true);
  });

  it("is offered after a cancellation, and not while a job is active", () => {
    expect(canRetry({ ...failed("private"), status: "canceled" }, "free")).toBe(true);
    expect(canRetry({ ...failed("network"), status: "queued" }, "free")).toBe(false);
  });
});

it("is not offered for a job that has stopped three workers", () => {
  const error = { code: "internal", ...exactly("stopped_too_often") };
  expect(canRetry(failed("internal", { error }), "free")).toBe(false);
});

describe("Pro", () => {
  const general = { code: "too_large", message: SENTENCES.too_large };
  it.each([
    ["the reason has a limit of Pro", { reason: LONGER }, 3_000, true],
    ["no size is known", general, undefined, true],
    ["the size is above Pro's limit too", { reason: TOO_LARGE_FOR_PRO }, 3_000, false],
    ["the video is as long as Pro allows", { reason: LONGER }, PRO_SECONDS, true],
    ["the video is longer than Pro allows", { reason: LONGER }, PRO_SECONDS + 1, false],
    ["the limit is one of all plans", exactly("too_many_pieces"), 60, false],
  ])("may lift a limit of the free plan when %s: %j (%s s)", (_, error, durationSeconds, isLifted) => {
    const job = failed("too_large", { durationSeconds, error: { code: "too_large", message: "Too large.", ...error } });
    expect(isLiftedByPro(job)).toBe(isLifted);
  });

  it("does not lift its own limit, nor another failure", () => {
    expect(isLiftedByPro(failed("too_long", { quality: "320kbps" }))).toBe(false);
    expect(isLiftedByPro(failed("private"))).toBe(false);
  });
});

describe("a part of the video", () => {
  it.each([
    ["beyond a limit", { reason: LONGER_THAN_PRO }, 60, true],
    ["beyond a limit, of unknown length", { reason: LONGER_THAN_PRO }, undefined, false],
    ["too large to open", exactly("too_large_to_open"), 60, false],
    ["private", { code: "private" }, 60, false],
    ["shorter than the chosen part", { code: "part_outside" }, 60, true],
    ["silent in the chosen part", { code: "no_subtitles", ...exactly("no_text_in_part") }, 60, true],
  ] as const)("helps when the whole is %s: %j (%s s)", (_, error, durationSeconds, isLifted) =>
    expect(isLiftedByPart({ code: "too_large", ...error }, durationSeconds)).toBe(isLifted),
  );
});

describe("other choices", () => {
  const transcript = { format: "transcript", quality: "text" };
  it.each([
    ["chapters", "no_chapters", undefined, {}, true],
    ["subtitles in the picture", "no_subtitles", undefined, { format: "mp4" }, true],
    ["a transcript in one language", "no_subtitles", undefined, transcript, true],
    ["any transcript", "no_subtitles", "no_subtitles_at_all", transcript, false],
    ["sound in one language", "unavailable", "no_such_sound", {}, true],
    ["any sound", "unavailable", "no_sound", {}, false],
  ] as const)("help where the video does not have %s: %s", (_, code, name, fields, isLifted) => {
    const error = { code, message: "Because.", reason: name && { name } };
    expect(isLiftedByOtherChoices(failed(code, { error, ...fields }))).toBe(isLifted);
  });

  const possible = new Set(["no_subtitles", "no_chapters"]);
  it.each(ConversionErrorCode.options)("help after %s only where something was chosen in vain", (code) =>
    expect(isLiftedByOtherChoices(failed(code))).toBe(possible.has(code)),
  );
});

describe("an original sound, whose quality does not tell the plan,", () => {
  const original = { format: "original", quality: "original" };
  it.each([
    ["that the free plan refuses is lifted by Pro", LONGER, true],
    ["that Pro refuses is not", LONGER_THAN_PRO, false],
  ])("%s", (_, reason, isLifted) => {
    const job = failed("too_long", { ...original, error: { code: "too_long", message: "Too long.", reason } });
    expect([isLiftedByPro(job), canRetry(job, "pro")]).toEqual([isLifted, isLifted]);
  });
});

describe("an MP3 instead of a too large MP4", () => {
  const large = (durationSeconds?: number) =>
    failed("too_large", { format: "mp4", quality: "480p", ...(durationSeconds && { durationSeconds }) });
  const freeSeconds = TIERS.free.maxDurationSeconds;
  // 500 MB at 320 kbps are 12,500 s, so the length of the plan is the limit.
  it.each([
    ["free", freeSeconds, true],
    ["free", freeSeconds + 1, false],
    ["free", undefined, false],
    ["pro", PRO_SECONDS, true],
  ] as const)("for %s at %s s fits: %s", (tier, durationSeconds, fits) =>
    expect(otherFormatFor(large(durationSeconds), tier)).toBe(fits ? "mp3" : null),
  );

  it("helps instead of a too large WAV, too", () => {
    const wav = { format: "wav", quality: "lossless", durationSeconds: PRO_SECONDS };
    expect(otherFormatFor(failed("too_large", wav), "pro")).toBe("mp3");
  });

  it("helps where there are no subtitles for a transcript, but not for a part of the video", () => {
    const transcript = { format: "transcript", quality: "text", durationSeconds: 60 };
    expect(otherFormatFor(failed("no_subtitles", transcript), "free")).toBe("mp3");
    const choices = { part: { startSeconds: 0, endSeconds: 60 } };
    expect(otherFormatFor(failed("no_subtitles", { ...transcript, choices }), "free")).toBe(null);
    expect(otherFormatFor(failed("no_subtitles", { format: "mp4", durationSeconds: 60 }), "free")).toBe(null);
  });

  it("is no help for an MP3, nor for another failure", () => {
    expect(otherFormatFor(failed("too_large", { durationSeconds: 60 }), "free")).toBe(null);
    expect(otherFormatFor(failed("private", { format: "mp4", durationSeconds: 60 }), "free")).toBe(null);
  });
});

describe("the MP4 of a video without sound", () => {
  const silent = (fields: object) =>
    failed("unavailable", { error: { code: "unavailable", ...exactly("no_sound") }, ...fields });
  it.each([
    ["free", "mp3", TIERS.free.maxDurationSeconds, "mp4"],
    ["free", "mp3", TIERS.free.maxDurationSeconds + 1, null],
    ["pro", "flac", PRO_SECONDS, "mp4"],
    ["free", "original", undefined, "mp4"],
    ["free", "mp4", 60, null],
  ] as const)("helps %s instead of %s at %s s: %s", (tier, format, durationSeconds, other) => {
    const quality = qualityFor(tier, format);
    expect(otherFormatFor(silent({ format, quality, durationSeconds }), tier)).toBe(other);
  });
});

describe("a failed preview", () => {
  const passing = new Set(["site_blocked", "site_changed", "busy", "network", "timeout", "storage", "internal"]);
  it.each([...ConversionErrorCode.options, ...RequestErrorCode.options])(
    "with %s stops Convert if it is final",
    (code) => expect(isCertainToFail(code)).toBe(ConversionErrorCode.safeParse(code).success && !passing.has(code)),
  );

  const retried = new Set([...passing, "live", "rate_limited", "network_busy", "queue_full", "unavailable_now"]);
  it.each([...ConversionErrorCode.options, ...RequestErrorCode.options])(
    "with %s is asked for again if that can help",
    (code) => expect(canRetryPreview({ code })).toBe(retried.has(code)),
  );

  it("without an answer is asked for again", () => expect(canRetryPreview(null)).toBe(true));
});
