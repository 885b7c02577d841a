/** The figures in the repository's README, which are those in kept.json. Pure. */
import { commonGoals, type Kept } from "./results.ts";
import { describeRun, goalTable, loadReport, timeTable } from "./table.ts";

const BEGIN = "<!-- figures of npm run bench -->";
const END = "<!-- end of figures -->";

/** @throws Error when the README has no place for them */
export function withFigures(readme: string, { full, load }: Kept): string {
  const [begin, end] = [readme.indexOf(BEGIN), readme.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`the README has no ${BEGIN} … ${END}`);
  const parts = [
    ...(full ? [describeRun(full), timeTable(full.cases), goalTable(commonGoals(full.cases))] : []),
    ...(load ? [loadReport(load)] : []),
  ];
  return `${readme.slice(0, begin + BEGIN.length)}\n${parts.join("\n\n")}\n${readme.slice(end)}`;
}
