/** The metric of what the block list refuses. */
import { Counter, type Registry } from "prom-client";
import type { Bus } from "../../domain/bus.ts";

export function addBlockMetrics(registry: Registry, bus: Pick<Bus, "subscribe">): void {
  const refusals = new Counter({
    name: "tapedeck_block_refusals_total",
    help: "Links, jobs, connections and requests that this process refused because of the block list",
    labelNames: ["kind"],
    registers: [registry],
  });
  bus.subscribe("block:refused", ({ kind }) => refusals.inc({ kind }));
}
