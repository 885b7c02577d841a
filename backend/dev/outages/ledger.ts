/** What the visitors of a long run asked for and what went wrong; filled in by all of them. */
import { backwardPushes } from "../measure/push-soak.ts";
import type { CallCount, Visitor } from "../testing/visitor.ts";
import { faultsOfEvents } from "../cluster/verify.ts";

export class Ledger {
  /** Ids of all jobs that a call created. */
  readonly asked = new Set<string>();
  readonly calls: CallCount = { calls: 0, retried: 0, failed: [] };
  /** Jobs that are missing, did not end, failed without reason, or whose file is missing or cannot be played. */
  readonly losses: string[] = [];
  /** Pushes that were older than the one before. */
  readonly backward: string[] = [];
  /** Jobs that failed because the server was killed in each of their attempts; they are no losses. */
  readonly killedThreeTimes: string[] = [];
  /** How often each kind of visit was made. */
  readonly visits = new Map<string, number>();

  countVisit(kind: string): void {
    this.visits.set(kind, (this.visits.get(kind) ?? 0) + 1);
  }

  /** Adds what the pages of a visitor have received; the visitor has left. */
  addPages(visitor: Visitor): void {
    this.losses.push(...faultsOfEvents([visitor]));
    for (const tab of visitor.tabs) this.backward.push(...backwardPushes(tab.pushes), ...tab.returned);
  }
}
