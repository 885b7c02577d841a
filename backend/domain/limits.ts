/** The limits of the domain: their defaults, and what each may be set to. */
import { z } from "zod";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../common/durations.ts";
import { bounded } from "../../common/bounded.ts";
import { ACCOUNT_DELETION_DAYS, RECORD_DAYS, USAGE_LOG_DAYS } from "../../common/retention-policy.ts";

/** The sweeper deletes purged accounts within the last day. */
const ACCOUNT_PURGE_MS = (ACCOUNT_DELETION_DAYS - 1) * DAY_MS;

const ACTIVE_FREE = 3;
/**
 * Visitors of one network who can have as many jobs as they may at the same time. A job takes seconds, so this is enough
 * for an office or for the phones behind a carrier's address, and two workers need a few minutes for so many.
 */
export const OWNERS_PER_NETWORK = 20;

/** The upper bounds of retention times are what the legal pages promise. */
export const DomainLimits = z.strictObject({
  /** Attempts of a job before a transient failure ends it. */
  maxAttempts: bounded(3, 1, 10),
  /** Back-off before the second attempt; it doubles before each further one. */
  retryBackoffMs: bounded(2 * SECOND_MS, 0, HOUR_MS),
  /** A worker that does not renew its lease for this long loses its job. */
  leaseMs: bounded(15 * SECOND_MS, SECOND_MS, HOUR_MS),
  /** Most jobs in a list: the newest ones; active jobs are listed beyond this limit. */
  listLength: bounded(200, 1, 10_000),
  /** How long records of ended jobs are kept. */
  historyMs: bounded(RECORD_DAYS * DAY_MS, DAY_MS, RECORD_DAYS * DAY_MS),
  /** How long entries of the usage log are kept. At least a month, because a month's usage is the sum of its entries. */
  usageLogMs: bounded(USAGE_LOG_DAYS * DAY_MS, 32 * DAY_MS, USAGE_LOG_DAYS * DAY_MS),
  /** Most active jobs of one owner. */
  activeJobs: z.strictObject({ free: bounded(ACTIVE_FREE, 1, 10_000), pro: bounded(40, 1, 10_000) }).prefault({}),
  /** Whether equal requests of different visitors share one conversion and its file. */
  sharesFiles: z.boolean().default(false),
  /** A session ends at this age, however often it is used. */
  sessionAgeMs: bounded(90 * DAY_MS, DAY_MS, 400 * DAY_MS),
  /** Most active jobs of the free plan from one network: a /24 of IPv4 or a /64 of IPv6. */
  activeJobsPerNetwork: bounded(ACTIVE_FREE * OWNERS_PER_NETWORK, 1, 100_000),
  /** Most active jobs of all visitors of one plan: a queue of half an hour for six workers. */
  activeJobsPerTier: bounded(2_000, 1, 1_000_000),
  /** Shortest time between two looks at a followed list. */
  lookEveryMs: bounded(HOUR_MS, 1, DAY_MS),
  /** Longer than any look. After the death of a process, its follow waits for so long. */
  lookLeaseMs: bounded(10 * MINUTE_MS, 1, HOUR_MS),
  /** How long records of deleted accounts are kept. */
  accountPurgeMs: bounded(ACCOUNT_PURGE_MS, 0, ACCOUNT_PURGE_MS),
});
export type DomainLimits = Readonly<z.infer<typeof DomainLimits>>;

export const DEFAULT_DOMAIN_LIMITS: DomainLimits = DomainLimits.parse({});
