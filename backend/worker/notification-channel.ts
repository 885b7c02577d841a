/** Sends Agenda's notifications of new tickets over the bus, so that a worker in any process starts at once. */
import { BaseNotificationChannel, type JobNotification } from "agenda";
import type { Bus, BusEvents } from "../domain/bus.ts";

export class BusNotificationChannel extends BaseNotificationChannel {
  readonly #bus: Bus;
  #unsubscribe: (() => void) | undefined;

  constructor(bus: Bus) {
    super({});
    this.#bus = bus;
    // A process without workers adds tickets without ever starting Agenda, so it must not wait for `connect`.
    this.setState("connected");
    this.#listen();
  }

  override connect(): Promise<void> {
    this.#listen();
    this.setState("connected");
    return Promise.resolve();
  }

  override disconnect(): Promise<void> {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.handlers.clear();
    this.setState("disconnected");
    return Promise.resolve();
  }

  override publish(notification: JobNotification): Promise<void> {
    this.#bus.publish("ticket", {
      name: notification.jobName,
      ticketId: String(notification.jobId),
      runAtMs: notification.nextRunAt?.getTime() ?? Date.now(),
      priority: notification.priority,
    });
    return Promise.resolve();
  }

  /** Makes the worker of this process look for tickets once more. Other processes are not notified. */
  announceFreeSlot(name: string): void {
    // Agenda ignores a time after its next poll, and forgets when that is while all slots are taken.
    setImmediate(() => this.#notify({ name, ticketId: "", runAtMs: 0, priority: 0 }));
  }

  #listen(): void {
    this.#unsubscribe ??= this.#bus.subscribe("ticket", (ticket) => this.#notify(ticket));
  }

  #notify({ name, ticketId, runAtMs, priority }: BusEvents["ticket"]): void {
    void this.notifyHandlers({
      jobId: ticketId as JobNotification["jobId"],
      jobName: name,
      nextRunAt: new Date(runAtMs),
      priority,
      timestamp: new Date(),
    });
  }
}
