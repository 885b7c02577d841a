/** What the operator's page shows, read while an operator looks and at no other time. */
import type { OperatorHistory, OperatorRecords, OperatorState } from "../../../common/operator.ts";
import { Tier } from "../../../common/tiers.ts";
import type { Billing } from "../billing/billing.ts";
import { listBlocks } from "../blocks/change-blocks.ts";
import type { Domain } from "../domain.ts";
import { readFeedFigures } from "../feeds/figures.ts";
import { readFollowFigures } from "../follows/figures.ts";
import { readQueue } from "../jobs/queue-figures.ts";
import { keepFor } from "../keep-for.ts";
import { reportBilling } from "./billing-report.ts";
import { readFailures } from "./failures.ts";
import { readHistory } from "./history.ts";
import { readIntake } from "./intake.ts";
import { namesOfOperators, readOperatorLog } from "./operator-log.ts";
import type { ProcessReports } from "./process-reports.ts";
import { readRunningJobs } from "./running-jobs.ts";
import { readSites } from "./site-figures.ts";

/** These read many records and change slowly, so they are kept for a while. */
const FAILURES_MS = 10_000;
const BILLING_MS = 30_000;
const HISTORY_MS = 60_000;
/** The newest; the command lists all. */
const MAX_BLOCKS = 200;

export interface OperatorView {
  readState(): Promise<OperatorState>;
  readHistory(): Promise<OperatorHistory>;
  readRecords(): Promise<OperatorRecords>;
  /** Reads the subscriptions anew at the next call: an account was read back. */
  forgetBilling(): void;
}

export function createOperatorView(domain: Domain, billing: Billing, reports: ProcessReports): OperatorView {
  const failures = keepFor(FAILURES_MS, () => readFailures(domain));
  const sites = keepFor(FAILURES_MS, () => readSites(domain));
  const follows = keepFor(FAILURES_MS, () => readFollowFigures(domain));
  const feeds = keepFor(FAILURES_MS, () => readFeedFigures(domain));
  const billingReport = keepFor(BILLING_MS, () => reportBilling(billing));
  const history = keepFor(HISTORY_MS, () => readHistory(domain));

  async function readState(): Promise<OperatorState> {
    const [intake, figures, running, failed, asked, followed, polled, report] = await Promise.all([
      readIntake(domain),
      readQueue(domain.jobs),
      readRunningJobs(domain),
      failures(),
      sites(),
      follows(),
      feeds(),
      billingReport(),
    ]);
    return {
      asOf: new Date().toISOString(),
      intake,
      queue: Tier.options.map((tier) => ({
        tier,
        waiting: figures.waiting[tier],
        waitingForSite: figures.waitingForSite[tier],
        running: figures.running[tier],
        oldestSeconds: Math.round(figures.ageSeconds[tier]),
      })),
      running,
      failures: failed,
      sites: asked,
      follows: followed,
      feeds: polled,
      processes: reports.ask(),
      billing: report,
    };
  }

  return {
    readState,
    readHistory: async () => ({ points: await history() }),
    readRecords: () => readRecords(domain),
    forgetBilling: () => billingReport.forget(),
  };
}

async function readRecords(domain: Domain): Promise<OperatorRecords> {
  const [log, all] = await Promise.all([readOperatorLog(domain), listBlocks(domain)]);
  const blocks = all.slice(0, MAX_BLOCKS);
  const nameOf = await namesOfOperators(
    domain.users,
    blocks.map(({ by }) => by),
  );
  return {
    log,
    blocks: blocks.map(({ kind, value, reason, by, createdAt, until }) => ({
      kind,
      value,
      reason,
      by: nameOf(by),
      createdAt: createdAt.toISOString(),
      until: until?.toISOString() ?? null,
    })),
  };
}
