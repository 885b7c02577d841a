/** The verbs on money without their surroundings: real database, and tasks that can be looked into. */
import { openBillingAccountModel } from "../../domain/billing/account-model.ts";
import type { Billing, BillingTask } from "../../domain/billing/billing.ts";
import { openBillingEventModel } from "../../domain/billing/events/event-model.ts";
import type { Domain } from "../../domain/domain.ts";

export interface TestBilling extends Billing {
  /** What was put into the queue, in order. */
  readonly tasks: BillingTask[];
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** @param more what the test is about; payment is not set up unless it says so */
export async function openTestBilling(
  domain: Pick<Domain, "users">,
  more: Partial<Billing> = {},
): Promise<TestBilling> {
  const tasks: BillingTask[] = [];
  return {
    accounts: await openBillingAccountModel(domain.users.db),
    events: await openBillingEventModel(domain.users.db),
    users: domain.users,
    queue: {
      enqueue(task) {
        tasks.push(task);
        return Promise.resolve();
      },
    },
    payment: null,
    graceMs: 3 * DAY_MS,
    reconcileMs: DAY_MS,
    now: () => new Date(),
    ...more,
    tasks,
  };
}
