/**
 * `node backend/dev/sizing.ts [FILE …]`: the operator's manual counts in figures that were measured. They are kept in
 * docker/figures.json; CPU seconds are taken over from files that `npm run bench -- --json FILE` has written
 * (also from the bench's own kept.json, if it is named), and the tables in docker/README.md are written anew.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { Kept, RunResult, type CaseResult } from "./bench/results.ts";
import { median } from "./percentile.ts";
import { REPOSITORY_ROOT } from "./repository.ts";

const MEASURED_CASES = [
  "mp3-128-progressive-2min",
  "mp3-128-progressive-10min",
  "mp3-320-progressive-10min",
  "mp4-480-progressive-2min",
  "mp4-480-progressive-10min",
  "mp4-1080-dash-10min",
  "mp4-480-vp9-1min",
  "mp4-1080-vp9-1min",
] as const;
type MeasuredCase = (typeof MEASURED_CASES)[number];

/** CPU seconds of one conversion: of the server's own process, and of the tools that it starts. */
const Cpu = z.object({ ours: z.number(), tools: z.number(), rounds: z.number(), measuredAt: z.string() });
export const Figures = z.object({
  cpuSeconds: z.partialRecord(z.enum(MEASURED_CASES), Cpu),
  socketKilobytes: z.object({ alone: z.number(), shared: z.number() }),
  webBaseMegabytes: z.number(),
  databaseOperations: z.number(),
});
export type Figures = z.infer<typeof Figures>;

export const FIGURES_FILE = join(REPOSITORY_ROOT, "docker", "figures.json");
export const MANUAL_FILE = join(REPOSITORY_ROOT, "docker", "README.md");

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;

/** What the page on a million users assumes; its text says the same in words. */
const ASSUMED = {
  visitors: 1_000_000,
  minutesOpen: 20,
  conversionsEach: 1.5,
  mp3Share: 0.7,
  encodedAnewShareOfMp4: 0.2,
  proShare: 0.03,
  busiestTimesMean: 3,
  busyShare: 0.7,
  videoMinutes: 4,
  pushesEach: 30,
  proDays: 7,
  /** Megabytes of a video of that length: what the bench's clips have a second, and our own bit rates. */
  fetchedMegabytes: { sound: 3.84, small: 18.2, large: 109 },
  storedMegabytes: { mp3: 3.84, mp3Pro: 9.6, small: 18.2, large: 109 },
} as const;
const SOCKETS_PER_WEB = 10_000;

const total = ({ ours, tools }: { ours: number; tools: number }): number => ours + tools;
/** @throws Error for one that was not measured and that nothing stands in for */
function cpuOf({ cpuSeconds }: Figures, name: MeasuredCase, standIn?: number): number {
  const measured = cpuSeconds[name];
  if (measured) return total(measured);
  if (standIn === undefined) throw new Error(`there is no figure of ${name}`);
  return standIn;
}
/** To two places: more was not measured. */
const rough = (value: number): string => Number(value.toPrecision(2)).toLocaleString("en-US", { maximumFractionDigits: 2 });

/** CPU seconds of a conversion of so many minutes, on the line through those of two and of ten. */
const between = (two: number, ten: number, minutes: number): number => two + ((ten - two) * (minutes - 2)) / 8;

/** A picture of 1080 lines has so many times the pixels of one of 480. */
const PIXELS_OF_LARGE = 5;

/**
 * Of the assumed length. What encodes anew was measured on a minute, so the look at the video counts in every one
 * of them. Where a case was not measured the next like it stands in: 3 % of the conversions at most.
 */
function cpuOfAssumed(figures: Figures): { mp3: number; mp3Pro: number; copied: number; copiedPro: number; encoded: number; encodedPro: number } {
  const minutes = ASSUMED.videoMinutes;
  const mp3Ten = cpuOf(figures, "mp3-128-progressive-10min");
  const mp3 = between(cpuOf(figures, "mp3-128-progressive-2min"), mp3Ten, minutes);
  const largeTen = cpuOf(figures, "mp4-1080-dash-10min");
  const copiedTen = cpuOf(figures, "mp4-480-progressive-10min", largeTen);
  const copied = between(cpuOf(figures, "mp4-480-progressive-2min"), copiedTen, minutes);
  const encodedMinute = cpuOf(figures, "mp4-480-vp9-1min");
  return {
    mp3,
    mp3Pro: (mp3 * cpuOf(figures, "mp3-320-progressive-10min", mp3Ten)) / mp3Ten,
    copied,
    copiedPro: (copied * largeTen) / copiedTen,
    encoded: minutes * encodedMinute,
    encodedPro: minutes * cpuOf(figures, "mp4-1080-vp9-1min", PIXELS_OF_LARGE * encodedMinute),
  };
}

function cpuTable(figures: Figures): string {
  const named: [MeasuredCase, string][] = [
    ["mp3-128-progressive-2min", "MP3 of 2 minutes, 128 kbps"],
    ["mp3-128-progressive-10min", "MP3 of 10 minutes, 128 kbps"],
    ["mp3-320-progressive-10min", "MP3 of 10 minutes, 320 kbps"],
    ["mp4-480-progressive-2min", "MP4 of 2 minutes, 480 lines, taken over as it is encoded"],
    ["mp4-480-progressive-10min", "MP4 of 10 minutes, the same"],
    ["mp4-1080-dash-10min", "MP4 of 10 minutes, 1080 lines, picture and sound put together"],
    ["mp4-480-vp9-1min", "MP4 of 1 minute encoded anew, from VP9 of 480 lines"],
    ["mp4-1080-vp9-1min", "MP4 of 1 minute encoded anew, from VP9 of 1080 lines"],
  ];
  return [
    "| Conversion | CPU-seconds | of them our own process | in a core and hour | rounds |",
    "|---|---|---|---|---|",
    ...named.flatMap(([name, about]) => {
      const cpu = figures.cpuSeconds[name];
      if (!cpu) return [];
      return `| ${about} | ${rough(total(cpu))} | ${rough(cpu.ours)} | ${rough(HOUR_SECONDS / total(cpu))} | ${cpu.rounds} |`;
    }),
  ].join("\n");
}

function beginTable(figures: Figures): string {
  const cpu = cpuOfAssumed(figures);
  const perCore = (seconds: number): string => rough((HOUR_SECONDS * ASSUMED.busyShare) / seconds);
  const { alone, shared } = figures.socketKilobytes;
  return [
    "| For | Take |",
    "|---|---|",
    `| 10,000 open pages | one web process: one core, 1 GB (450 MB measured, and room to reconnect everybody at once). ${rough(1e6 / alone)} sockets take a GB in one process, ${rough(1e6 / shared)} where several share the work |`,
    `| In an hour ${perCore(cpu.mp3)} MP3 of ${ASSUMED.videoMinutes} minutes, or ${perCore(cpu.copied)} MP4 taken over as they are, or ${perCore(cpu.encoded)} encoded anew to 480 lines | one core of a worker, 70 % busy, and 1 GB for each conversion at a time |`,
    "| Any of it | three MongoDB members of 2 cores and 4 GB; Redis with 512 MB; a web process more than the load needs, so that one may be replaced |",
  ].join("\n");
}

/** The day of a million users, in numbers. */
export function reckon(figures: Figures) {
  const cpu = cpuOfAssumed(figures);
  const { mp3Share, encodedAnewShareOfMp4, proShare, busiestTimesMean, busyShare, fetchedMegabytes: fetched, storedMegabytes: stored } = ASSUMED;
  const mp4Share = 1 - mp3Share;
  const mixed = (mp3: number, mp4: number): number => mp3Share * mp3 + mp4Share * mp4;
  const ofAll = (free: number, pro: number): number => (1 - proShare) * free + proShare * pro;
  const conversions = ASSUMED.visitors * ASSUMED.conversionsEach;
  const perSecond = conversions / DAY_SECONDS;
  const anew = mp4Share * encodedAnewShareOfMp4 * ofAll(cpu.encoded, cpu.encodedPro);
  const cpuEach = mp3Share * ofAll(cpu.mp3, cpu.mp3Pro) + mp4Share * (1 - encodedAnewShareOfMp4) * ofAll(cpu.copied, cpu.copiedPro) + anew;
  const pages = (ASSUMED.visitors * ASSUMED.minutesOpen) / (24 * 60);
  const freeMegabytes = mixed(stored.mp3, stored.small);
  const proMegabytes = mixed(stored.mp3Pro, stored.large);
  const fetchedTerabytes = (conversions * ofAll(mixed(fetched.sound, fetched.small), mixed(fetched.sound, fetched.large))) / 1e6;
  const sentTerabytes = (conversions * ofAll(freeMegabytes, proMegabytes)) / 1e6;
  const cores = perSecond * cpuEach;
  return {
    conversions, perSecond, busiestPerSecond: perSecond * busiestTimesMean,
    pages, busiestPages: pages * busiestTimesMean, webs: Math.ceil((pages * busiestTimesMean) / SOCKETS_PER_WEB),
    cpuEach, anewShare: anew / cpuEach, coreHours: cores * 24, cores, busiestCores: cores * busiestTimesMean, busiestCoresToHave: (cores * busiestTimesMean) / busyShare, coresToHave: cores / busyShare,
    pushes: conversions * ASSUMED.pushesEach,
    operations: conversions * figures.databaseOperations,
    fetchedTerabytes, sentTerabytes,
    freeTerabytes: (conversions * (1 - proShare) * freeMegabytes) / 24 / 1e6,
    proTerabytes: (conversions * proShare * proMegabytes * ASSUMED.proDays) / 1e6,
  };
}

const gigabits = (terabytesADay: number): number => (terabytesADay * 8_000) / DAY_SECONDS;

function dayTable(figures: Figures): string {
  const day = reckon(figures);
  const { socketKilobytes, webBaseMegabytes, databaseOperations } = figures;
  const socketGigabytes = (pages: number): number => (pages * socketKilobytes.shared) / 1e6;
  const busiestGigabytes = socketGigabytes(day.busiestPages);
  const pushesPerSecond = day.pushes / DAY_SECONDS;
  const rows: [string, string, string, string, string][] = [
    ["Conversions", `${rough(day.conversions / 1e6)} million`, `${rough(day.perSecond)} a second`, `${rough(day.busiestPerSecond)} a second`, ""],
    ["Open pages", "", rough(day.pages), rough(day.busiestPages), `${ASSUMED.minutesOpen} minutes each`],
    ["Sockets' memory", "", `${rough(socketGigabytes(day.pages))} GB`, `${rough(busiestGigabytes)} GB, with base ${rough(busiestGigabytes + (day.webs * webBaseMegabytes) / 1_000)} GB in ${day.webs} processes`, `${socketKilobytes.shared} kB each, ${webBaseMegabytes} MB a process`],
    ["CPU of conversions", `${rough(day.coreHours)} core-hours`, `${rough(day.cores)} cores`, `${rough(day.busiestCores)} cores; ${rough(day.busiestCoresToHave)} at 70 %`, `${rough(day.cpuEach)} CPU-seconds each; ${Math.round(day.anewShare * 100)} % of it for the 6 % that are encoded anew`],
    ["Pushes", `${rough(day.pushes / 1e6)} million`, `${rough(pushesPerSecond)} a second`, `${rough(pushesPerSecond * ASSUMED.busiestTimesMean)} a second, and twice that if all jobs take 12 s and push at their most`, "at most 5 a second while a job runs, 30 for one of 6 s"],
    ["Into Redis", "", "0.3 MB/s", `0.8 to 1.6 MB/s, read by each of ${day.webs} web processes`, "295 bytes an event, taken as 500 with its rooms and wrapping"],
    ["Database operations", `${rough(day.operations / 1e6)} million`, `${rough(day.operations / DAY_SECONDS)} a second`, `${rough((day.operations / DAY_SECONDS) * ASSUMED.busiestTimesMean)} a second, half of them writes`, `${databaseOperations} for each conversion`],
    ["Records kept", "45 million jobs, some 54 GB with indexes as much again", "", "", "30 days, 1.2 kB each"],
    ["Fetched from video sites", `${rough(day.fetchedTerabytes)} TB`, `${rough(gigabits(day.fetchedTerabytes))} Gbit/s`, `${rough(gigabits(day.fetchedTerabytes) * ASSUMED.busiestTimesMean)} Gbit/s`, "3.8 MB of sound, 18 MB at 480 lines, 109 MB at 1080"],
    ["Sent to visitors", `${rough(day.sentTerabytes)} TB`, `${rough(gigabits(day.sentTerabytes))} Gbit/s`, `${rough(gigabits(day.sentTerabytes) * ASSUMED.busiestTimesMean)} Gbit/s`, "3.8 MB at 128 kbps, 9.6 MB at 320; MP4 as fetched"],
    ["In storage", "", `${rough(day.freeTerabytes)} TB free, ${rough(day.proTerabytes)} TB Pro`, `${rough(day.freeTerabytes * ASSUMED.busiestTimesMean)} TB free`, "one hour; seven days"],
  ];
  const terabytes = Math.ceil(day.freeTerabytes * ASSUMED.busiestTimesMean + day.proTerabytes);
  const busiestSent = gigabits(day.sentTerabytes) * ASSUMED.busiestTimesMean;
  return [
    "| | In a day | Mean | Busiest | From |",
    "|---|---|---|---|---|",
    ...rows.map((row) => `| ${row.join(" | ")} |`.replaceAll(/ +\|/g, " |")),
    "",
    `**What that is in machines.** ${day.webs} web processes and one to spare, a core and 1 GB each. Workers with ${rough(day.busiestCoresToHave)} cores in the busiest hour and a third of that for most of the day, started and stopped by the rule above: ${Math.ceil(day.busiestCoresToHave / 8)} of 8 cores. One MongoDB replica set of 8 cores, 32 GB and 200 GB of fast disk a member; that size is a guess: the database of the measurements was the embedded one, on two cores shared with everything, with 200 conversions at a time. One Redis of a core and 1 GB. Storage of ${terabytes} TB that takes ${rough(busiestSent)} Gbit/s in and out (\`S3_DOWNLOADS=presigned\` sends downloads past the web processes; at this size it must be on, or each of ${day.webs + 1} passes on ${rough(busiestSent / (day.webs + 1))} Gbit/s).`,
  ].join("\n");
}

/** In any currency you like; see the text. */
const PRICES = { coreMonth: 15, storedTerabyteMonth: 20, sentTerabyte: { plain: 10, cloud: [50, 90] } } as const;

function moneyTable(figures: Figures): string {
  const day = reckon(figures);
  const terabytes = Math.ceil(day.freeTerabytes * ASSUMED.busiestTimesMean + day.proTerabytes);
  const sent = day.sentTerabytes * 30;
  const [low, high] = PRICES.sentTerabyte.cloud;
  return [
    "| Part | A month |",
    "|---|---|",
    `| Workers | ${rough(day.coresToHave * PRICES.coreMonth * (4 / 3))} for the mean load and a third more on top of it that is started for the busy hours; ${rough(day.busiestCoresToHave * PRICES.coreMonth)} if all of them run always |`,
    `| Web, balancers, Redis | ${rough((day.webs + 1 + 4) * PRICES.coreMonth)} |`,
    "| MongoDB, three members | 500 |",
    `| Storage, ${terabytes} TB | ${rough(terabytes * PRICES.storedTerabyteMonth)}, and requests: ${rough((day.conversions * 30) / 1e6)} million stored and as many read, some 250 |`,
    `| Traffic out, ${rough(sent)} TB | ${rough(sent * PRICES.sentTerabyte.plain)} from a plain hoster; ${rough(sent * low)} to ${rough(sent * high)} from a large cloud |`,
  ].join("\n");
}

const TABLES: Readonly<Record<string, (figures: Figures) => string>> = { "CPU of conversions": cpuTable, "to begin with": beginTable, "a day": dayTable, "a month": moneyTable };

/** The manual with its tables as the figures have them. @throws Error when it has no place for one */
export function withSizing(manual: string, figures: Figures): string {
  let text = manual;
  for (const [name, render] of Object.entries(TABLES)) {
    const [opening, closing] = [`<!-- figures: ${name} -->`, `<!-- end: ${name} -->`];
    const [begin, end] = [text.indexOf(opening), text.indexOf(closing)];
    if (begin === -1 || end < begin) throw new Error(`the manual has no ${opening} … ${closing}`);
    text = `${text.slice(0, begin + opening.length)}\n${render(figures)}\n${text.slice(end)}`;
  }
  return text;
}

/** Those of the measured cases that a file of the bench has. */
function cpuIn(cases: readonly CaseResult[]): Partial<Figures["cpuSeconds"]> {
  const known = cases.flatMap((one) => {
    const name = MEASURED_CASES.find((wanted) => wanted === one.name);
    if (name === undefined || one.ours.toolCpuSeconds.length === 0) return [];
    const cpu = { ours: median(one.ours.ownCpuSeconds), tools: median(one.ours.toolCpuSeconds), rounds: one.ours.toolCpuSeconds.length, measuredAt: one.measuredAt };
    return [[name, cpu] as const];
  });
  return Object.fromEntries(known);
}

if (import.meta.main) {
  const figures = Figures.parse(JSON.parse(await readFile(FIGURES_FILE, "utf8")));
  for (const file of process.argv.slice(2)) {
    const content: unknown = JSON.parse(await readFile(file, "utf8"));
    const run = RunResult.safeParse(content);
    const { quick, full } = run.success ? { quick: undefined, full: run.data } : Kept.parse(content);
    Object.assign(figures.cpuSeconds, cpuIn(quick?.cases ?? []), cpuIn(full?.cases ?? []));
  }
  await writeFile(FIGURES_FILE, `${JSON.stringify(figures, null, 2)}\n`);
  await writeFile(MANUAL_FILE, withSizing(await readFile(MANUAL_FILE, "utf8"), figures));
}
