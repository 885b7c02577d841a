/** Compares a run with the kept one. */
import { ratiosOf, type CaseResult } from "./results.ts";

/** Medians of five rounds vary by a few percent on a machine with other load; more than this is a regression. */
export const MAX_SLOWDOWN = 1.15;

export interface Regression {
  readonly name: string;
  readonly against: "yt-dlp" | "ffmpeg";
  readonly kept: number;
  readonly now: number;
}

/** @returns cases that are slower than kept; cases that only one of the runs has are ignored */
export function findRegressions(kept: readonly CaseResult[], now: readonly CaseResult[]): Regression[] {
  return now.flatMap((result) => {
    const before = kept.find(({ name }) => name === result.name);
    if (!before) return [];
    const keptRatios = ratiosOf(before);
    const nowRatios = ratiosOf(result);
    const pairs = [
      { against: "yt-dlp" as const, kept: keptRatios.ytDlp, now: nowRatios.ytDlp },
      { against: "ffmpeg" as const, kept: keptRatios.ffmpeg, now: nowRatios.ffmpeg },
    ];
    return pairs.flatMap(({ against, kept, now }) =>
      kept !== undefined && now !== undefined && now > kept * MAX_SLOWDOWN
        ? [{ name: result.name, against, kept, now }]
        : [],
    );
  });
}
