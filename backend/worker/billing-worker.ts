/** Works on what is to be done about payments, tries again what failed, and looks for what was missed. */
import type { Logger } from "pino";
import type { Billing, BillingTask } from "../domain/billing/billing.ts";
import { deleteOldEvents, handleEvent, postponeEvents, claimLostEvents } from "../domain/billing/events/events.ts";
import { updateTierFromStoredState, readBack } from "../domain/billing/read-back/read-back.ts";
import { countReadFailure, postponeRead, claimDueAccounts } from "../domain/billing/read-back/reconcile.ts";
import type { BillingTickets } from "./billing-tickets.ts";
import { every } from "../domain/every.ts";
import type { Worker } from "./worker.ts";

/** Wait after the first failure; doubles with each further one, up to the last. */
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 60 * 60 * 1_000;
/** From then on it is no passing trouble, and is logged as an error each time. */
const ALARMING_FAILURES = 5;

export interface BillingWorkerSettings {
  readonly sweepMs: number;
  readonly log: Logger;
}

export async function startBillingWorker(
  billing: Billing,
  tickets: BillingTickets,
  { sweepMs, log }: BillingWorkerSettings,
): Promise<Worker> {
  async function handle(task: BillingTask): Promise<void> {
    try {
      // Waits, marked as not done, until the provider is set up again.
      if (billing.payment === null) return;
      await (task.kind === "event" ? handleEvent(billing, task.id) : readBack(billing, task.id));
    } catch (error) {
      await postpone(task, error).catch((cause: unknown) =>
        log.error({ error: cause, ...task }, "a payment task could not be put off; the sweeper takes it up"),
      );
    }
  }

  async function postpone(task: BillingTask, error: unknown): Promise<void> {
    const failures =
      task.kind === "event" ? await countAttempts(billing, task.id) : await countReadFailure(billing, task.id);
    const delayMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(failures, 20));
    const level = failures >= ALARMING_FAILURES ? "error" : "warn";
    log[level]({ error, failures, delayMs, kind: task.kind, id: task.id }, "a payment task failed and is tried again");
    const reason = error instanceof Error ? error.message : String(error);
    if (task.kind === "event") await postponeEvents(billing, { _id: task.id }, delayMs, reason);
    else {
      await postponeRead(billing, task.id, delayMs, reason);
      // While nobody can be asked, periods and graces that are over are over all the same.
      await updateTierFromStoredState(billing, task.id);
    }
    await billing.queue.enqueue(task, { runAtMs: Date.now() + delayMs });
  }

  async function sweep(): Promise<void> {
    if (billing.payment !== null)
      for (const id of await claimLostEvents(billing)) await billing.queue.enqueue({ kind: "event", id });
    for (const id of await claimDueAccounts(billing)) {
      if (billing.payment === null) await updateTierFromStoredState(billing, id);
      else await billing.queue.enqueue({ kind: "account", id });
    }
    await deleteOldEvents(billing);
  }

  await tickets.work(handle);
  const sweeping = every(sweepMs, sweep, (error) => log.error({ error }, "looking for missed payments failed"));
  return {
    async stop() {
      await tickets.stop();
      await sweeping.stop();
    },
  };
}

async function countAttempts(billing: Billing, eventId: string): Promise<number> {
  const event = await billing.events.findById(eventId, { attempts: 1 }).lean<{ attempts: number }>();
  return event?.attempts ?? 0;
}
