/** Metrics of video sites that fail for most visitors. */
import { Gauge, type Registry } from "prom-client";
import { Site, SiteFailureReason } from "../../../common/site-status.ts";
import type { SiteReports } from "../../domain/sites/site-reports.ts";

/** @param reports those of all processes */
export function addSiteMetrics(registry: Registry, reports: Pick<SiteReports, "status">): void {
  const failing: Gauge<"site" | "reason"> = new Gauge({
    name: "tapedeck_site_failing",
    help: "1 while a video site fails for most visitors and the home page says so",
    labelNames: ["site", "reason"],
    aggregator: "max",
    registers: [registry],
    collect: () => {
      for (const site of Site.options)
        for (const reason of SiteFailureReason.options) {
          const isShown = reports.status.failing.some((shown) => shown.site === site && shown.reason === reason);
          failing.set({ site, reason }, Number(isShown));
        }
    },
  });
}
