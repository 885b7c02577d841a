import { Counter, type Registry } from "prom-client";
import type { Bus } from "../../domain/bus.ts";

/** Adds the counters of what this process does. @returns the one of pushes, of which the bus does not say anything */
export function countEvents(registry: Registry, bus: Pick<Bus, "subscribe">): Pick<Counter<"event">, "inc"> {
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers: [registry] });

  const ended = counter(
    "tapedeck_jobs_ended_total",
    "Jobs that this process has brought to an end, by what came of them",
    "format",
    "outcome",
  );
  const shortfalls = counter(
    "tapedeck_shortfalls_total",
    "Completed jobs whose picture has fewer lines than the plan allows, by reason",
    "reason",
  );
  bus.subscribe("job:ended", ({ format, outcome, shortfall }) => {
    ended.inc({ format, outcome });
    if (shortfall) shortfalls.inc({ reason: shortfall });
  });
  const refusals = counter(
    "tapedeck_block_refusals_total",
    "Links, jobs, connections and requests that this process refused because of the block list",
    "kind",
  );
  bus.subscribe("block:refused", ({ kind }) => refusals.inc({ kind }));
  const messages = counter(
    "tapedeck_contact_messages_total",
    "Messages of the contact form that the mail server accepted (sent) or did not accept (failed)",
    "outcome",
  );
  bus.subscribe("contact:ended", ({ outcome }) => messages.inc({ outcome }));
  const tries = counter(
    "tapedeck_webhook_tries_total",
    "Tries to deliver a message to a webhook: delivered, failed, or failed for the last time (given_up)",
    "result",
  );
  bus.subscribe("webhook:tried", ({ result }) => tries.inc({ result }));
  return counter<"event">("tapedeck_pushes_total", "Events that this process has sent to browsers", "event");
}
