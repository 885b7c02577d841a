/** A part of a video as its two fields have it. Pure. */
import { SHORTEST_PART_SECONDS, type Part } from "../../../../common/choices.ts";
import { parseTime } from "../../../../common/times.ts";

/** What is typed and not taken; a field without a text shows the time of the part. */
export type TypedTimes = Readonly<Partial<Record<keyof Part, string>>>;

/** `time`: it is none. `beyond`: the video ends before. `order`: the end is not behind the start. */
export type TimeProblem = "time" | "beyond" | "order";

export interface TypedProblem {
  readonly is: TimeProblem;
  /** Of the fields that have a text. */
  readonly sides: readonly (keyof Part)[];
}

/**
 * Reads both fields together: each time may only be right beside the other.
 * @param part for the field in which nothing is typed
 * @param whole what the part is of; an earlier start is its start
 */
export function readTyped(typed: TypedTimes, part: Part, whole: Part): Part | TypedProblem {
  const sides = (["startSeconds", "endSeconds"] as const).filter((side) => typed[side] !== undefined);
  const times = new Map(sides.map((side) => [side, parseTime(typed[side] ?? "")]));
  const wrong = sides.filter((side) => times.get(side) === undefined);
  if (wrong.length > 0) return { is: "time", sides: wrong };
  const late = sides.filter((side) => (times.get(side) ?? 0) > whole.endSeconds);
  if (late.length > 0) return { is: "beyond", sides: late };
  const startSeconds = Math.max(times.get("startSeconds") ?? part.startSeconds, whole.startSeconds);
  const endSeconds = times.get("endSeconds") ?? part.endSeconds;
  return endSeconds - startSeconds < SHORTEST_PART_SECONDS ? { is: "order", sides } : { startSeconds, endSeconds };
}
