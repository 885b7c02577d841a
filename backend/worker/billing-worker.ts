/** Runs billing tasks, retries failed ones, and finds those whose ticket or message was lost. */
import type { Logger } from "pino";
import type { Billing, BillingTask } from "../domain/billing/billing.ts";
import { deleteOldEvents, handleEvent, postponeEvents, claimLostEvents } from "../domain/billing/events/events.ts";
import { updateTierFromStoredState, readBack } from "../domain/billing/read-back/read-back.ts";
import { countReadFailure, postponeRead, claimDueAccounts } from "../domain/billing/read-back/reconcile.ts";
import { doublingDelay } from "../../common/doubling-delay.ts";
import { every } from "../domain/every.ts";
import type { TaskTickets } from "./task-tickets.ts";
import { DONE_TICKET_MS } from "./ticket-store.ts";
import type { Worker } from "./worker.ts";

/** Back-off after the first failure; it doubles with each further failure, up to `MAX_DELAY_MS`. */
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 60 * 60 * 1_000;
/** From this number of failures on, each one is logged as an error instead of a warning. */
const ALARMING_FAILURES = 5;

/** A queue of its own, so that a payment never waits behind conversions. */
export const BILLING_QUEUE = { ticket: "billing", collection: "billing_tickets", kinds: ["event", "account"] } as const;

export interface BillingWorkerSettings {
  /** Interval between checks for tasks whose ticket or message was lost. */
  readonly sweepMs: number;
  readonly log: Logger;
}

/** Starts to handle billing tickets. */
export async function startBillingWorker(
  billing: Billing,
  tickets: TaskTickets<BillingTask["kind"]>,
  { sweepMs, log }: BillingWorkerSettings,
): Promise<Worker> {
  async function handle(task: BillingTask): Promise<void> {
    try {
      // Without a provider the task stays marked as not done, and the sweeper finds it when there is one again.
      if (billing.payment === null) return;
      await (task.kind === "event" ? handleEvent(billing, task.id) : readBack(billing, task.id));
    } catch (error) {
      await postpone(task, error).catch((cause: unknown) =>
        log.error({ error: cause, ...task }, "could not postpone a billing task; the sweeper retries it"),
      );
    }
  }

  async function postpone(task: BillingTask, error: unknown): Promise<void> {
    const failures =
      task.kind === "event" ? await countAttempts(billing, task.id) : await countReadFailure(billing, task.id);
    const delayMs = doublingDelay(failures, FIRST_DELAY_MS, MAX_DELAY_MS);
    const level = failures >= ALARMING_FAILURES ? "error" : "warn";
    log[level]({ error, failures, delayMs, kind: task.kind, id: task.id }, "a billing task failed and will be retried");
    const reason = error instanceof Error ? error.message : String(error);
    if (task.kind === "event") await postponeEvents(billing, { _id: task.id }, delayMs, reason);
    else {
      await postponeRead(billing, task.id, delayMs, reason);
      // Paid periods and grace periods end on time even while the provider cannot be asked.
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
    await tickets.deleteDone(new Date(Date.now() - DONE_TICKET_MS));
  }

  await tickets.work(handle);
  const sweeping = every(sweepMs, sweep, (error) => log.error({ error }, "the billing sweep failed"));
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
