/** Metrics of yt-dlp: which version is used, how old it is, and how new versions did in their trials. */
import { Counter, Gauge, type Registry } from "prom-client";
import type { CanaryKind, CanaryResult } from "../extractor/canary.ts";

export interface ExtractorFigures {
  readonly version: string;
  /** Days since its release. */
  readonly ageDays: number;
}

export type CountCanary = (canary: CanaryKind, result: CanaryResult) => void;

/**
 * @param read the yt-dlp in use; null when its version is unknown
 * @returns counts a trial
 */
export function addExtractorMetrics(registry: Registry, read: () => ExtractorFigures | null): CountCanary {
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
  const canaries = new Counter({
    name: "tapedeck_extractor_canaries_total",
    help: "Trials of new versions of yt-dlp, by canary (sample page or link) and result",
    labelNames: ["canary", "result"],
    registers,
  });
  return (canary, result) => canaries.inc({ canary, result });
}
