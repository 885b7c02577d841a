/** Puts the figures of kept.json into the text of the bench's README, and a few into that of the repository. */
import { commonGoals, type Kept } from "./results.ts";
import { breakdownTables, costTables, describeRun, goalTable, summaryTable, timeTables } from "./table.ts";

/** The most common cases. */
const SUMMARY_CASES: ReadonlySet<string> = new Set([
  "mp3-128-progressive-10min",
  "mp3-128-hls-10min",
  "mp3-128-hls-10min@100",
  "mp4-480-progressive-10min",
  "mp4-1080-dash-10min",
  "mp4-1080-dash-10min@100",
  "batch-20",
  "repeat",
]);

/**
 * @param readme text of the bench's README
 * @returns the text with times, goals and ratios of the kept run
 * @throws Error when the README has no markers for them
 */
export function withFigures(readme: string, { full }: Kept): string {
  const parts = full ? [describeRun(full), timeTables(full.cases), goalTable(commonGoals(full.cases))] : [];
  return between(readme, "figures", parts);
}

/**
 * @param readme text of the bench's README
 * @returns the text with CPU time, memory and push delays of conversions
 * @throws Error when the README has no markers for them
 */
export function withCosts(readme: string, { full }: Kept): string {
  return between(readme, "costs", full ? [costTables(full.cases), ...breakdownTables(full.cases)] : []);
}

/**
 * @param readme text of the repository's README
 * @returns the text with the times of a few cases
 * @throws Error when the README has no markers for them
 */
export function withSummary(readme: string, { full }: Kept): string {
  const cases = full?.cases.filter(({ name }) => SUMMARY_CASES.has(name));
  return between(readme, "summary", cases ? [summaryTable(cases)] : []);
}

/** Replaces the text between two markers. */
function between(readme: string, what: string, parts: readonly string[]): string {
  const begin = `<!-- ${what} of npm run bench -->`;
  const beginsAt = readme.indexOf(begin);
  const endsAt = readme.indexOf(`<!-- end of ${what} -->`);
  if (beginsAt === -1 || endsAt < beginsAt) throw new Error(`the README has no ${begin}`);
  return `${readme.slice(0, beginsAt + begin.length)}\n${parts.join("\n\n")}\n${readme.slice(endsAt)}`;
}
