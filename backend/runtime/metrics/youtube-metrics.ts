/** Metrics of what YouTube gives and refuses. An operator sees there that YouTube fails before visitors complain. */
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { Bus } from "../../domain/bus.ts";
import type { ExitStatus } from "../../pipeline/exits/exit-pool.ts";
import type { ExtractionAttempt, Given } from "../../pipeline/probe/youtube.ts";

/** An extraction takes 0.3 s where no script is needed, and some seconds where one has to be prepared. */
const SECONDS_BUCKETS = [0.25, 0.5, 1, 2, 4, 8, 16, 32, 64];

export interface YouTubeReaders {
  /** What is known of all exits. */
  readonly readExits: () => readonly ExitStatus[];
  /** See `ClientRecord`. */
  readonly failingClients: ReadonlySet<string>;
}

export interface YouTubeCounters {
  readonly countAttempt: (attempt: ExtractionAttempt) => void;
  readonly countGiven: (client: string, given: Given) => void;
}

/** @param bus tells which conversions have ended */
export function addYouTubeMetrics(
  registry: Registry,
  bus: Pick<Bus, "subscribe">,
  { readExits, failingClients }: YouTubeReaders,
): YouTubeCounters {
  const registers = [registry];
  const attempts = new Counter({
    name: "tapedeck_youtube_extractions_total",
    help: "Attempts to read a YouTube video, by player client, exit and outcome (ok or the error code)",
    labelNames: ["client", "exit", "outcome"],
    registers,
  });
  const seconds = new Histogram({
    name: "tapedeck_youtube_extraction_seconds",
    help: "Duration of attempts to read a YouTube video",
    labelNames: ["client"],
    buckets: SECONDS_BUCKETS,
    registers,
  });
  const startedMs = Date.now();
  let lastOkMs: number | undefined;
  const sinceOk: Gauge = new Gauge({
    name: "tapedeck_youtube_seconds_since_ok",
    help: "Time since this process last read a YouTube video, or since its start if it has read none",
    aggregator: "min",
    registers,
    collect: () => sinceOk.set((Date.now() - (lastOkMs ?? startedMs)) / 1_000),
  });
  addSinceConverted(registry, bus, startedMs);
  const paused: Gauge<"exit"> = new Gauge({
    name: "tapedeck_youtube_exit_resting",
    help: "1 while an exit is paused because YouTube refused it",
    labelNames: ["exit"],
    aggregator: "max",
    registers,
    collect: () => {
      for (const { name, isPaused } of readExits()) paused.set({ exit: name }, Number(isPaused));
    },
  });
  const clients = addClientMetrics(registry, failingClients);
  return {
    countAttempt(attempt) {
      const { client, exit, outcome } = attempt;
      attempts.inc({ client, exit, outcome });
      seconds.observe({ client }, attempt.seconds);
      clients.met(client);
      if (outcome === "ok") lastOkMs = Date.now();
    },
    countGiven: clients.countGiven,
  };
}

interface ClientCounters extends Pick<YouTubeCounters, "countGiven"> {
  met(client: string): void;
}

/** What each client gave. */
function addClientMetrics(registry: Registry, failingClients: ReadonlySet<string>): ClientCounters {
  const registers = [registry];
  const labelNames = ["client"] as const;
  const formats = new Counter({
    name: "tapedeck_youtube_formats_total",
    help: "Formats of YouTube videos that a player client gave",
    labelNames,
    registers,
  });
  const captions = new Counter({
    name: "tapedeck_youtube_captions_total",
    help: "YouTube videos that a player client gave, by what it gave of their captions (given, withheld or none)",
    labelNames: [...labelNames, "outcome"],
    registers,
  });
  const lastGiven = new Gauge({
    name: "tapedeck_youtube_client_last_video_timestamp_seconds",
    help: "When a player client gave the last video to this process, in seconds since 1970",
    labelNames,
    aggregator: "max",
    registers,
  });
  const met = new Set<string>();
  const askedLast: Gauge<"client"> = new Gauge({
    name: "tapedeck_youtube_client_asked_last",
    help: "1 while a player client is asked last because it fails for most videos",
    labelNames,
    aggregator: "max",
    registers,
    collect: () => {
      for (const client of met) askedLast.set({ client }, Number(failingClients.has(client)));
    },
  });
  return {
    met: (client) => void met.add(client),
    countGiven(client, given) {
      formats.inc({ client }, given.formats);
      captions.inc({ client, outcome: given.captions });
      lastGiven.set({ client }, Date.now() / 1_000);
    },
  };
}

function addSinceConverted(registry: Registry, bus: Pick<Bus, "subscribe">, startedMs: number): void {
  let lastMs = startedMs;
  bus.subscribe("job:ended", ({ outcome, isNewFromYouTube }) => {
    if (outcome === "completed" && isNewFromYouTube) lastMs = Date.now();
  });
  const sinceConverted: Gauge = new Gauge({
    name: "tapedeck_youtube_seconds_since_converted",
    help: "Time since this process last converted a YouTube video to a new file, or since its start if it has not",
    aggregator: "min",
    registers: [registry],
    collect: () => sinceConverted.set((Date.now() - lastMs) / 1_000),
  });
}
