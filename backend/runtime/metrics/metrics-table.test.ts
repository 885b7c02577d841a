import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { openTestDomain } from "../../dev/testing/test-domain.ts";
import { createMetrics, OWN_METRICS } from "./metrics.ts";

const MANUAL = resolve(import.meta.dirname, "../../../docker/README.md");

/** The library has the names of the labels, but not in its types. */
function labelsOf(metric: object): string[] {
  return "labelNames" in metric && Array.isArray(metric.labelNames) ? metric.labelNames.map(String) : [];
}

/** @returns the rows of the table of metrics, in the order of their names */
function renderRows(registry: Registry): string[] {
  return registry
    .getMetricsAsArray()
    .filter(({ name }) => name.startsWith("tapedeck_"))
    .map((metric) => {
      const labels = labelsOf(metric).map((label) => `\`${label}\``);
      return `| \`${metric.name}\` | ${labels.join(", ") || "–"} | ${metric.help} | ${metric.aggregator} |`;
    })
    .sort();
}

it("docker/README.md lists all metrics of a process with their labels, meaning and aggregation", async () => {
  const domain = await openTestDomain();
  const registry = new Registry();
  const metrics = createMetrics(domain.jobs, domain.bus, { during: (task) => task() }, registry);
  for (const name of Object.keys(OWN_METRICS) as (keyof typeof OWN_METRICS)[]) metrics.show(name, () => 0);
  metrics.watchYouTube(() => []);
  metrics.watchExtractor({
    figures: () => null,
    failureShare: () => 0,
    failingCanaries: () => Promise.resolve(0),
  });
  metrics.watchSites({ status: { failing: [] } });
  const lines = (await readFile(MANUAL, "utf8")).split("\n");
  expect(lines.filter((line) => line.startsWith("| `tapedeck_"))).toEqual(renderRows(registry));
  await domain.close();
});
