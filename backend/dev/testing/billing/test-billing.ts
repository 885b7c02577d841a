/** The billing functions for a test: a real database, and a queue that only records its tasks. */
import { openBillingAccountModel } from "../../../domain/billing/account-model.ts";
import type { Billing, BillingTask } from "../../../domain/billing/billing.ts";
import { openBillingEventModel } from "../../../domain/billing/events/event-model.ts";
import type { Domain } from "../../../domain/domain.ts";
import { DAY_MS } from "../../../../common/durations.ts";

export interface TestBilling extends Billing {
  /** Queued tasks in order. */
  readonly tasks: BillingTask[];
}

/** @param more overrides; payment is not set up unless they say so */
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
