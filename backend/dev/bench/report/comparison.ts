/** Whether a run is worse than the one that is kept. Pure. */
import { ratiosOf, type CaseResult } from "./results.ts";

/** Medians of five rounds on a machine that does other things too scatter by a few percent; more than this is ours. */
export const MOST_WORSE = 1.15;

export interface Regression {
  readonly name: string;
  readonly against: "yt-dlp" | "ffmpeg";
  readonly kept: number;
  readonly now: number;
}

/** Cases that only one of the two has are passed over. */
export function findRegressions(kept: readonly CaseResult[], now: readonly CaseResult[]): Regression[] {
  return now.flatMap((result) => {
    const before = kept.find(({ name }) => name === result.name);
    if (!before) return [];
    const [was, is] = [ratiosOf(before), ratiosOf(result)];
    const pairs = [
      { against: "yt-dlp" as const, kept: was.ytDlp, now: is.ytDlp },
      { against: "ffmpeg" as const, kept: was.ffmpeg, now: is.ffmpeg },
    ];
    return pairs.flatMap(({ against, kept, now }) =>
      kept !== undefined && now !== undefined && now > kept * MOST_WORSE
        ? [{ name: result.name, against, kept, now }]
        : [],
    );
  });
}
