/** Metrics of what YouTube gives and refuses. An operator sees there that YouTube fails before visitors complain. */
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { Bus } from "../../domain/bus.ts";
import type { ExitStatus } from "../../pipeline/exits/exit-pool.ts";
import type { ExtractionAttempt } from "../../pipeline/probe/youtube.ts";

/** An extraction takes 0.3 s where no script is needed, and some seconds where one has to be prepared. */
const SECONDS_BUCKETS = [0.25, 0.5, 1, 2, 4, 8, 16, 32, 64];

/**
 * @param bus tells which conversions have ended
 * @param readExits reads what is known of all exits
 * @returns counts an attempt
 */
export function addYouTubeMetrics(
  registry: Registry,
  bus: Pick<Bus, "subscribe">,
  readExits: () => readonly ExitStatus[],
): (attempt: ExtractionAttempt) => void {
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
  return (attempt) => {
    const { client, exit, outcome } = attempt;
    attempts.inc({ client, exit, outcome });
    seconds.observe({ client }, attempt.seconds);
    if (outcome === "ok") lastOkMs = Date.now();
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
