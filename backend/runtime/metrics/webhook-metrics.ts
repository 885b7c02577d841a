/** The metric of webhooks. */
import { Counter, type Registry } from "prom-client";
import type { Bus } from "../../domain/bus.ts";

export function addWebhookMetrics(registry: Registry, bus: Pick<Bus, "subscribe">): void {
  const tries = new Counter({
    name: "tapedeck_webhook_tries_total",
    help: "Tries to deliver a message to a webhook: delivered, failed, or failed for the last time (given_up)",
    labelNames: ["result"],
    registers: [registry],
  });
  bus.subscribe("webhook:tried", ({ result }) => tries.inc({ result }));
}
