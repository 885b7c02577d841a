/**
 * Filters of ffmpeg that leave spans out. What comes after a span moves to its beginning: sound to the sample, pictures by
 * their times, so that both stay together over any number of cuts. Pure.
 */
import type { Part } from "../../../common/choices.ts";
import type { Seeks } from "../part/seeks.ts";
import type { Extent } from "../part/cuts.ts";

/** Times of frames are compared with a tolerance, because they are fractions of other time scales. */
const TOLERANCE_SECONDS = 0.000_5;

function fixed(seconds: number): string {
  return seconds.toFixed(6);
}

/** @returns the cuts on the time line that filters see, on which the part begins after the lead */
function cutsForFilters({ part, cuts = [] }: Extent, { leadSeconds }: Seeks): readonly Part[] {
  const shift = leadSeconds - (part?.startSeconds ?? 0);
  return cuts.map(({ startSeconds, endSeconds }) => ({
    startSeconds: startSeconds + shift,
    endSeconds: endSeconds + shift,
  }));
}

/** Each piece of the sound that stays is trimmed to the sample, and they are joined. */
function soundCut(cuts: readonly Part[]): string {
  const pieces = [0, ...cuts.map(({ endSeconds }) => endSeconds)]
    .map((startSeconds, index) => ({ startSeconds, endSeconds: cuts[index]?.startSeconds }))
    .filter(({ startSeconds, endSeconds = Infinity }) => endSeconds > startSeconds);
  const trims = pieces.map(({ startSeconds, endSeconds }) => {
    const from = startSeconds === 0 ? [] : [`start=${fixed(startSeconds)}`];
    const to = endSeconds === undefined ? [] : [`end=${fixed(endSeconds)}`];
    const shift = startSeconds === 0 ? "" : `,asetpts=PTS-${fixed(startSeconds)}/TB`;
    return `atrim=${[...from, ...to].join(":")}${shift}`;
  });
  if (trims.length === 1) return trims.join("");
  const all = trims.map((trim, index) => `[in${index}]${trim}[out${index}]`);
  const labels = (name: string): string => trims.map((_, index) => `[${name}${index}]`).join("");
  const join = `${labels("out")}concat=n=${trims.length}:v=0:a=1`;
  return [`asplit=${trims.length}${labels("in")}`, ...all, join].join(";");
}

/** Frames within a span are dropped, and the times of those after it are moved. */
function pictureCut(cuts: readonly Part[]): string {
  const after = (time: string, seconds: number): string => `gte(${time},${fixed(seconds - TOLERANCE_SECONDS)})`;
  const dropped = cuts.map(
    ({ startSeconds, endSeconds }) => `${after("t", startSeconds)}*not(${after("t", endSeconds)})`,
  );
  const moved = cuts.map(
    ({ startSeconds, endSeconds }) => `${after("T", endSeconds)}*${fixed(endSeconds - startSeconds)}`,
  );
  return `select='not(${dropped.join("+")})',setpts='PTS-(${moved.join("+")})/TB'`;
}

export interface CutFilters {
  readonly sound: string;
  readonly picture: string;
}

/** @returns undefined where nothing is cut out */
export function cutFilters(extent: Extent, seeks: Seeks | undefined): CutFilters | undefined {
  if (!extent.cuts || !seeks) return undefined;
  const cuts = cutsForFilters(extent, seeks);
  return { sound: soundCut(cuts), picture: pictureCut(cuts) };
}
