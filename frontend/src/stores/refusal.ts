/** What the preview knows about a conversion that would fail, so that it is not started. Pure. */
import type { ErrorBody } from "../../../common/errors.ts";
import { isCertainToFail, isLiftedByPart, isLongerThanPro, mayFitPro } from "../../../common/remedies.ts";
import { estimateOf } from "../../../common/api.ts";
import type { Format, Tier } from "../../../common/tiers.ts";
import { currentTexts, sentenceOf } from "../texts/store.ts";
import { OFFERED_FORMATS } from "./offered-formats.ts";
import type { Problem } from "./converter.ts";
import type { PreviewView } from "./preview.ts";

export interface Refusal {
  /** Of the whole video; null when only the chosen format does not fit. */
  readonly error: ErrorBody | null;
  /** A format that fits. */
  readonly otherFormat: Format | null;
  readonly isLiftedByPro: boolean;
  /** A part of the video may fit. */
  readonly isLiftedByPart: boolean;
  /** A visitor with the free plan must not be sent to Pro for this video. */
  readonly isLongerThanPro: boolean;
}

/** @returns the preview, or why the request was refused while there is none */
export function withRefusal(view: PreviewView, problem: Problem | null): PreviewView {
  if (view.phase === "ready" || problem === null || typeof problem === "string") return view;
  return { phase: "failed", error: problem };
}

/** @returns null when the conversion may succeed, also while nothing is known */
export function refusalOf(view: PreviewView, format: Format, tier: Tier): Refusal | null {
  if (view.phase === "failed") {
    const { error } = view;
    if (error === null || !isCertainToFail(error.code)) return null;
    const isLiftedByPro = tier === "free" && mayFitPro(error, null);
    // A preview that fails knows neither length nor formats, so there is no part to choose and no other format.
    return { error, otherFormat: null, isLiftedByPro, isLiftedByPart: false, isLongerThanPro: false };
  }
  if (view.phase !== "ready") return null;
  const { estimates, durationSeconds } = view.preview;
  const estimate = estimateOf(view.preview, format);
  if (!estimate || estimate.fits) return null;
  const { error } = estimate;
  const isForPro = error?.code === "pro_required";
  return {
    error: null,
    otherFormat: OFFERED_FORMATS.find((other) => estimates[other].fits) ?? null,
    isLiftedByPro: tier === "free" && (isForPro || (error !== undefined && mayFitPro(error, durationSeconds))),
    isLiftedByPart: error !== undefined && isLiftedByPart(error, durationSeconds),
    isLongerThanPro: tier === "free" && isLongerThanPro(durationSeconds),
  };
}

/** The reason in the page's language. */
export function refusalSentence({ error }: Refusal): string {
  return error ? sentenceOf(error) : currentTexts().converter.preview.doesNotFit;
}
