/** The figures in the repository's README and in the bench's own, which are those in kept.json. Pure. */
import { commonGoals, type Kept } from "./results.ts";
import { costTables, describeRun, goalTable, loadReport, timeTables } from "./table.ts";

const BEGIN = "<!-- figures of npm run bench -->";
const END = "<!-- end of figures -->";

/** Times, and what they are held against. @throws Error when the README has no place for them */
export function withFigures(readme: string, { full, load }: Kept): string {
  const parts = [
    ...(full ? [describeRun(full), timeTables(full.cases), goalTable(commonGoals(full.cases))] : []),
    ...(load ? [`**Beside others' jobs and pages**, on ${load.database}, ${load.date.slice(0, 10)}`, loadReport(load)] : []),
  ];
  return between(readme, parts);
}

/** What conversions cost beside the time. @throws Error when the README has no place for it */
export function withCosts(readme: string, { full }: Kept): string {
  return between(readme, full ? [costTables(full.cases)] : []);
}

function between(readme: string, parts: readonly string[]): string {
  const [begin, end] = [readme.indexOf(BEGIN), readme.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`the README has no ${BEGIN} … ${END}`);
  return `${readme.slice(0, begin + BEGIN.length)}\n${parts.join("\n\n")}\n${readme.slice(end)}`;
}
