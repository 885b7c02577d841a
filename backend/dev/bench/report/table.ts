/** The bench's tables in Markdown. */
import { median, percentile } from "../../measure/percentile.ts";
import { commonGoals, ratiosOf, type CaseResult, type Goal, type OurFigures, type RunResult } from "./results.ts";

const NOTHING = "–";

/** Three significant figures, at most three decimals: 0.012, 1.23, 12.3, 123. */
export function figure(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return NOTHING;
  if (value === 0) return "0";
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(Math.min(digits, 3));
}

/** Median with minimum and maximum: `1.71 (1.65–1.80)`. */
export function spread(values: readonly number[] | undefined): string {
  if (!values || values.length === 0) return NOTHING;
  if (values.length === 1) return `${figure(values[0])} (once)`;
  return `${figure(median(values))} (${figure(Math.min(...values))}–${figure(Math.max(...values))})`;
}

function rows(header: readonly string[], body: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(header), line(header.map((_, index) => (index === 0 ? "---" : "--:"))), ...body.map(line)].join("\n");
}

export function isMet({ value, atMost }: Goal): boolean {
  return value <= atMost;
}

function goalText(goal: Goal): string {
  const unit = goal.unit === "×" ? "" : ` ${goal.unit}`;
  return `${goal.what} ${figure(goal.value)}${unit} of ${goal.atMost} ${isMet(goal) ? "✓" : "✗"}`;
}

function timeRow(result: CaseResult): string[] {
  const ratios = ratiosOf(result);
  return [
    result.about,
    spread(result.seconds),
    spread(result.ytDlp?.seconds),
    spread(result.ffmpeg?.seconds),
    figure(result.limitSeconds),
    figure(ratios.ytDlp),
    figure(ratios.ffmpeg),
    figure(ratios.limit),
    result.goals.map(goalText).join("; ") || NOTHING,
  ];
}

const WIRE_TITLES = new Map<string, string>([["unlimited", "The wire unlimited"]]);

/** One row for each case, with the main figures. */
export function summaryTable(cases: readonly CaseResult[]): string {
  const body = cases.map(({ about, wire, seconds, ytDlp }) => {
    const ours = median(seconds);
    const theirs = ytDlp && median(ytDlp.seconds);
    const where = wire === "unlimited" ? "" : `, ${wire} Mbit/s`;
    return [`${about}${where}`, figure(ours), figure(theirs), figure(theirs === undefined ? undefined : ours / theirs)];
  });
  return rows(["case", "Tapedeck s", "yt-dlp s", "ratio"], body);
}

/** A table for each wire, in the order of the cases. */
function byWire(cases: readonly CaseResult[], table: (cases: readonly CaseResult[]) => string): string {
  const wires = [...new Set(cases.map(({ wire }) => wire))];
  const section = (wire: string): string => {
    const title = WIRE_TITLES.get(wire) ?? `${wire} Mbit/s and 80 ms`;
    return `**${title}**\n\n${table(cases.filter((result) => result.wire === wire))}`;
  };
  return wires.map(section).join("\n\n");
}

/** Tables of seconds: the median, with minimum and maximum in brackets. */
export function timeTables(cases: readonly CaseResult[]): string {
  return byWire(cases, (some) =>
    rows(
      ["case", "Tapedeck s", "yt-dlp s", "ffmpeg s", "limit s", "÷ yt-dlp", "÷ ffmpeg", "÷ limit", "goal"],
      some.map(timeRow),
    ),
  );
}

function costRow({ about, ours, ytDlp }: CaseResult): string[] {
  const middle = (pick: (figures: OurFigures) => readonly number[]): string => figure(median(pick(ours)));
  return [
    about,
    middle((f) => f.firstPushMs),
    middle((f) => f.takenUpMs),
    middle((f) => f.siteAskedMs),
    middle((f) => f.lastByteToCompletedMs),
    figure(Math.max(...ours.longestSilenceMs)),
    `${figure(percentile(ours.etaErrors, 50))}, ${figure(percentile(ours.etaErrors, 90))}`,
    middle((f) => f.fetchedShare),
    `${middle((f) => f.ownCpuSeconds)} + ${middle((f) => f.toolCpuSeconds)}`,
    figure(ytDlp && median(ytDlp.cpuSeconds)),
    `${middle((f) => f.peakOwnMegabytes)} + ${middle((f) => f.peakToolMegabytes)}`,
    figure(ytDlp && median(ytDlp.peakMegabytes)),
    middle((f) => f.writtenMegabytes),
  ];
}

/** Tables of CPU time, memory and push delays. */
export function costTables(cases: readonly CaseResult[]): string {
  return byWire(cases, (some) =>
    rows(
      [
        "case",
        "first push ms",
        "taken up ms",
        "site asked ms",
        "last byte → completed ms",
        "longest silence ms",
        "time-left error p50, p90",
        "fetched ×",
        "CPU s, ours + tools",
        "yt-dlp CPU s",
        "peak MB, ours + tools",
        "yt-dlp MB",
        "written MB",
      ],
      some.map(costRow),
    ),
  );
}

type Breakdown = Readonly<Record<string, readonly number[]>>;

/** A table of medians that add up to a whole, with their shares of it. @returns undefined where no case has any */
function breakdownTable(cases: readonly CaseResult[], pick: (result: CaseResult) => Breakdown): string | undefined {
  const measured = cases.filter((result) => Object.keys(pick(result)).length > 0);
  const names = [...new Set(measured.flatMap((result) => Object.keys(pick(result))))];
  if (names.length === 0) return undefined;
  const body = measured.map((result) => {
    const parts = names.map((name) => median(pick(result)[name] ?? []));
    const whole = parts.reduce((sum, part) => sum + part, 0);
    return [result.about, ...parts.map((part) => `${figure(part)} (${figure((100 * part) / whole)} %)`), figure(whole)];
  });
  return rows(["case", ...names, "all"], body);
}

/** Which process used how much CPU time, and where the time of a song goes; without what no case measured. */
export function breakdownTables(cases: readonly CaseResult[]): string[] {
  const tables = {
    "CPU seconds by process": breakdownTable(cases, ({ ours }) => ours.cpuSecondsBy),
    "Seconds by step": breakdownTable(cases, ({ stepSeconds }) => stepSeconds),
  };
  return Object.entries(tables).flatMap(([title, table]) => (table === undefined ? [] : [`**${title}**\n\n${table}`]));
}

export function goalTable(goals: readonly Goal[]): string {
  return rows(
    ["over all cases", "is", "goal"],
    goals.map((goal) => [
      goal.what,
      `${figure(goal.value)}${goal.unit === "×" ? "" : ` ${goal.unit}`}`,
      `${goal.atMost} ${isMet(goal) ? "✓" : "✗"}`,
    ]),
  );
}

/** Machine, date and load of a run, as a sentence. */
export function describeRun({ machine, plainFetchMegabytesPerSecond, cases }: RunResult): string {
  const days = cases.map(({ measuredAt }) => measuredAt.slice(0, 10)).sort();
  const first = days.at(0);
  const last = days.at(-1);
  const loads = cases.map(({ loadBefore }) => loadBefore);
  const when = first === last ? `on ${first}` : `from ${first} to ${last}`;
  const { cores, model, memoryGigabytes, system, node, ffmpeg, ytDlp } = machine;
  return (
    `Measured ${when} on ${cores} × ${model}, ${memoryGigabytes} GB, ${system}, ` +
    `with Node ${node}, ffmpeg ${ffmpeg} and yt-dlp ${ytDlp}. Load before a case: ${spread(loads)}. ` +
    `The site sends ${figure(plainFetchMegabytesPerSecond)} MB/s to a reader that throws it away.`
  );
}

export function report(run: RunResult): string {
  if (run.cases.length === 0) return "Nothing was measured.";
  const { cases } = run;
  const tables = [timeTables(cases), costTables(cases), ...breakdownTables(cases), goalTable(commonGoals(cases))];
  return [describeRun(run), ...tables].join("\n\n");
}
