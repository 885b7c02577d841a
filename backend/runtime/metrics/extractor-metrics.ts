/** Metrics of yt-dlp: which version is used, how old it is, and how new versions did in their trials. */
import { Counter, Gauge, type Registry } from "prom-client";
import type { CountCanary } from "../../extractor/canary.ts";
import type { HeldBack } from "../../../common/operator.ts";
import type { WaitingRelease } from "../../extractor/releases.ts";
import type { CountedOutcome } from "../../extractor/renewal.ts";

export interface ExtractorFigures {
  readonly version: string;
  /** Days since its release. */
  readonly ageDays: number;
}

export interface ExtractorReaders {
  /** The yt-dlp in use; null when its version is unknown. */
  readonly figures: () => ExtractorFigures | null;
  /** Share of its recent links in this process that failed for a reason of yt-dlp, 0 to 1. */
  readonly failureShare: () => number;
  /** Canaries that it failed at the last try. */
  readonly failingCanaries: () => Promise<readonly string[]>;
  /** A newer one that is not used yet. */
  readonly waitingRelease: () => Promise<WaitingRelease | null>;
  /** Why it does not get newer. */
  readonly heldBack: () => Promise<HeldBack | null>;
}

export interface ExtractorCounters {
  readonly countCanary: CountCanary;
  readonly countRenewal: (outcome: CountedOutcome) => void;
}

export function addExtractorMetrics(registry: Registry, readers: ExtractorReaders): ExtractorCounters {
  addVersionMetrics(registry, readers.figures);
  addFailureMetrics(registry, readers);
  return addCounters(registry);
}

function addVersionMetrics(registry: Registry, read: ExtractorReaders["figures"]): void {
  const registers = [registry];
  const info: Gauge<"version"> = new Gauge({
    name: "tapedeck_extractor_info",
    help: "1 for the version of yt-dlp in use",
    labelNames: ["version"],
    aggregator: "max",
    registers,
    collect: () => {
      const figures = read();
      info.reset();
      if (figures) info.set({ version: figures.version }, 1);
    },
  });
  const age: Gauge = new Gauge({
    name: "tapedeck_extractor_age_days",
    help: "Days since the release of the yt-dlp in use",
    aggregator: "max",
    registers,
    collect: () => {
      const figures = read();
      if (figures) age.set(figures.ageDays);
      else age.remove();
    },
  });
}

function addFailureMetrics(registry: Registry, { failureShare, failingCanaries }: ExtractorReaders): void {
  const registers = [registry];
  const share: Gauge = new Gauge({
    name: "tapedeck_extractor_failure_share",
    help: "Share of the last 40 links that the yt-dlp in use failed to read for a reason of its own, 0 to 1",
    aggregator: "max",
    registers,
    collect: () => share.set(failureShare()),
  });
  const failing: Gauge = new Gauge({
    name: "tapedeck_extractor_canaries_failing",
    help: "Canaries that the yt-dlp in use could not read at the last try",
    aggregator: "max",
    registers,
    collect: async () => failing.set((await failingCanaries()).length),
  });
}

function addCounters(registry: Registry): ExtractorCounters {
  const registers = [registry];
  const canaries = new Counter({
    name: "tapedeck_extractor_canaries_total",
    help: "Tries of the yt-dlp in use (present) and of new ones, by canary (sample page or link) and result",
    labelNames: ["version", "canary", "result"],
    registers,
  });
  const renewals = new Counter({
    name: "tapedeck_extractor_renewals_total",
    help: "Tries to renew yt-dlp, by what came of them, and versions that were rolled back",
    labelNames: ["outcome"],
    registers,
  });
  return {
    countCanary: (version, canary, result) => canaries.inc({ version, canary, result }),
    countRenewal: (outcome) => renewals.inc({ outcome: outcome.replaceAll(" ", "_") }),
  };
}
