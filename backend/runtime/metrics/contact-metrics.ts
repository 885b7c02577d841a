/** The metric of the contact form. */
import { Counter, type Registry } from "prom-client";
import type { Bus } from "../../domain/bus.ts";

export function addContactMetrics(registry: Registry, bus: Pick<Bus, "subscribe">): void {
  const messages = new Counter({
    name: "tapedeck_contact_messages_total",
    help: "Messages of the contact form that the mail server accepted (sent) or did not accept (failed)",
    labelNames: ["outcome"],
    registers: [registry],
  });
  bus.subscribe("contact:ended", ({ outcome }) => messages.inc({ outcome }));
}
