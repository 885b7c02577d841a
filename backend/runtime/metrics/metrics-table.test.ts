import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { ofFile } from "../../dev/testing/of-file.ts";
import { withRows } from "../../dev/documents/rendered-rows.ts";
import { openTestDomain } from "../../dev/testing/test-domain.ts";
import { createMetrics, OWN_METRICS } from "./metrics.ts";

const DOCKER = resolve(import.meta.dirname, "../../../docker");

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

const domain = await ofFile(openTestDomain());
const registry = new Registry();
const metrics = createMetrics(domain.jobs, domain.bus, { during: (task) => task() }, registry);
for (const name of Object.keys(OWN_METRICS) as (keyof typeof OWN_METRICS)[]) metrics.show(name, () => 0);
metrics.watchYouTube({ readExits: () => [], failingClients: new Set(), remarks: () => null });
metrics.watchExtractor({
  figures: () => null,
  failureShare: () => 0,
  failingCanaries: () => Promise.resolve([]),
  waitingRelease: () => Promise.resolve(null),
  heldBack: () => Promise.resolve(null),
});
metrics.watchSites({ status: { failing: [] } });

const readFromDocker = (name: string): Promise<string> => readFile(join(DOCKER, name), "utf8");

it("docker/README.md lists all metrics of a process with their labels, meaning and aggregation", async () => {
  const { path, text } = await withRows("docker/README.md", /^\| `tapedeck_/, renderRows(registry));
  await expect(text).toMatchFileSnapshot(path);
});

/** @returns the names and labels in an expression that no metric has */
function unknownParts(expression: string): string[] {
  const labels = new Set(["le"]);
  const unknown: string[] = [];
  for (const [name] of expression.matchAll(/\btapedeck_\w+/g)) {
    const metric = registry.getSingleMetric(name) ?? registry.getSingleMetric(name.replace(/_bucket$/, ""));
    if (metric) for (const label of labelsOf(metric)) labels.add(label);
    else unknown.push(name);
  }
  const filtered = Array.from(expression.matchAll(/(\w+) ?[=!]~?"/g), ([, label = ""]) => label);
  const grouped = Array.from(expression.matchAll(/ by \(([^)]*)\)/g), ([, list = ""]) => list.split(/, */)).flat();
  return [...unknown, ...[...filtered, ...grouped].filter((label) => !labels.has(label))];
}

const Rules = z.object({
  groups: z.array(z.object({ rules: z.array(z.looseObject({ alert: z.string(), expr: z.string() })) })),
});
const Dashboard = z.object({
  panels: z.array(z.looseObject({ title: z.string(), targets: z.array(z.looseObject({ expr: z.string() })) })),
});

it("docker/alerts.yaml asks for metrics and labels that exist", async () => {
  const rules = Rules.parse(parse(await readFromDocker("alerts.yaml"))).groups.flatMap((group) => group.rules);
  expect(rules.length).toBeGreaterThan(0);
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  expect(rules.flatMap(({ alert, expr }) => unknownParts(expr).map((part) => `${alert}: ${part}`))).toEqual([]);
});

it("docker/dashboard.json asks for metrics and labels that exist", async () => {
  const { panels } = Dashboard.parse(JSON.parse(await readFromDocker("dashboard.json")));
  const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  expect(expressions.flatMap(unknownParts)).toEqual([]);
});

it("finds metrics and labels that do not exist", () => {
  expect(unknownParts('sum by (tier, host) (tapedeck_queue_age{colour="red"})')).toEqual([
    "tapedeck_queue_age",
    "colour",
    "tier",
    "host",
  ]);
});
