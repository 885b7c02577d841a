/**
 * Limits and times that no operator changes, with defaults and bounds. Tests and benches pass overrides to
 * `readConfig`; no environment variable sets them. What operators set is in variables.ts.
 */
import { z } from "zod";
import { parseHostEntry } from "../../common/hosts.ts";
import { ACCOUNT_DELETION_DAYS, RECORD_DAYS, USAGE_LOG_DAYS } from "../../common/retention-policy.ts";
import type { Tier } from "../../common/tiers.ts";
import { DEFAULT_DATABASE_TIMEOUTS } from "../domain/database/database-timeouts.ts";
import { DEFAULT_DOMAIN_LIMITS } from "../domain/domain.ts";
import type { RateLimits } from "../http/middleware/limit.ts";
import { DEFAULT_PIPELINE_LIMITS } from "../pipeline/pipeline.ts";

const MB = 1_000_000;
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** More than any client can send in a minute. */
const MAX_RATE = 1_000_000;
/** The sweeper deletes purged accounts within the last day. */
const ACCOUNT_PURGE_MS = (ACCOUNT_DELETION_DAYS - 1) * DAY_MS;

const D = DEFAULT_DOMAIN_LIMITS;
const P = DEFAULT_PIPELINE_LIMITS;

/** A whole number within bounds. */
function whole(fallback: number, min: number, max: number) {
  return z.int().min(min).max(max).default(fallback);
}

/** Each field is explained at `DomainLimits`. The upper bounds of retention times are what the legal pages promise. */
const DomainSettings = z.strictObject({
  maxAttempts: whole(D.maxAttempts, 1, 10),
  retryBackoffMs: whole(D.retryBackoffMs, 0, HOUR_MS),
  leaseMs: whole(D.leaseMs, SECOND_MS, HOUR_MS),
  listLength: whole(D.listLength, 1, 10_000),
  historyMs: whole(D.historyMs, DAY_MS, RECORD_DAYS * DAY_MS),
  // At least a month, because a month's usage is the sum of its log entries.
  usageLogMs: whole(D.usageLogMs, 32 * DAY_MS, USAGE_LOG_DAYS * DAY_MS),
  activeJobs: z
    .strictObject({ free: whole(D.activeJobs.free, 1, 10_000), pro: whole(D.activeJobs.pro, 1, 10_000) })
    .default(D.activeJobs),
  sharesFiles: z.boolean().default(D.sharesFiles),
  sessionAgeMs: whole(D.sessionAgeMs, DAY_MS, 400 * DAY_MS),
  activeJobsPerNetwork: whole(D.activeJobsPerNetwork, 1, 100_000),
  activeJobsPerTier: whole(D.activeJobsPerTier, 1, 1_000_000),
  accountPurgeMs: whole(ACCOUNT_PURGE_MS, 0, ACCOUNT_PURGE_MS),
});

/** Each field is explained at `PipelineLimits`. */
const PipelineSettings = z.strictObject({
  probeTimeoutMs: whole(P.probeTimeoutMs, SECOND_MS, HOUR_MS),
  stallTimeoutMs: whole(P.stallTimeoutMs, 500, HOUR_MS),
  paceWindowMs: whole(P.paceWindowMs, 100, HOUR_MS),
  leastBytesPerWindow: whole(P.leastBytesPerWindow, 0, 1_000 * MB),
  jobTimeoutMs: whole(P.jobTimeoutMs, SECOND_MS, DAY_MS),
  maxAdvertisementMs: whole(P.maxAdvertisementMs, 0, HOUR_MS),
  maxSiteWaitMs: whole(P.maxSiteWaitMs, 0, HOUR_MS),
  inspectTimeoutMs: whole(P.inspectTimeoutMs, SECOND_MS, HOUR_MS),
  killGraceMs: whole(P.killGraceMs, 0, MINUTE_MS),
  maxInfoBytes: whole(P.maxInfoBytes, MB, 1_000 * MB),
  maxProbeBytes: whole(P.maxProbeBytes, MB, 10_000 * MB),
  maxPlaylistBytes: whole(P.maxPlaylistBytes, MB, 1_000 * MB),
  maxToolMemoryBytes: whole(P.maxToolMemoryBytes, 100 * MB, 1_000_000 * MB),
  maxExtractorCpuSeconds: whole(P.maxExtractorCpuSeconds, 1, 3_600),
  maxFragments: whole(P.maxFragments, 1, 1_000_000),
  maxPixels: whole(P.maxPixels, MB, 1_000 * MB),
  maxSourceFactor: whole(P.maxSourceFactor, 1, 100),
  minFreeDiskBytes: whole(P.minFreeDiskBytes, 0, 1_000_000 * MB),
  thumbnailTimeoutMs: whole(P.thumbnailTimeoutMs, 100, MINUTE_MS),
  coverWaitMs: whole(P.coverWaitMs, 0, MINUTE_MS),
  maxThumbnailBytes: whole(P.maxThumbnailBytes, MB, 100 * MB),
});

export const DEFAULT_CREATE_PER_MINUTE = 20;
/** Several visitors may share one address, such as those of a household or an office. */
const ADDRESS_FACTOR = 3;
const PRO_FACTOR = 6;

/**
 * Computes the rate limits of conversions from the number that operators set.
 * @param perMinute conversions per minute of one device, and of one user on all devices, on the free plan
 */
export function createRates(
  perMinute: number,
): Pick<RateLimits, "createPerDevice" | "createPerUser" | "createPerAddress"> {
  const owner = { free: perMinute, pro: perMinute * PRO_FACTOR };
  const address = { free: owner.free * ADDRESS_FACTOR, pro: owner.pro * ADDRESS_FACTOR };
  return { createPerDevice: owner, createPerUser: owner, createPerAddress: address };
}

const perTier = ({ free, pro }: Readonly<Record<Tier, number>>) =>
  z.strictObject({ free: whole(free, 1, MAX_RATE), pro: whole(pro, 1, MAX_RATE) }).default({ free, pro });
const defaultRates = createRates(DEFAULT_CREATE_PER_MINUTE);

/**
 * Calls per minute, messages of the contact form per hour. An IPv6 address counts as its /64 network; for the contact form
 * an IPv4 address counts as its /24.
 */
const RateSettings = z.strictObject({
  createPerDevice: perTier(defaultRates.createPerDevice),
  createPerUser: perTier(defaultRates.createPerUser),
  createPerAddress: perTier(defaultRates.createPerAddress),
  signInPerAddress: whole(20, 1, MAX_RATE),
  previewPerDevice: whole(60, 1, MAX_RATE),
  previewPerAddress: whole(180, 1, MAX_RATE),
  /** Calls to the checkout and the billing portal. */
  billingPerUser: whole(20, 1, MAX_RATE),
  /** Exports and deletions of the account. */
  accountPerUser: whole(10, 1, MAX_RATE),
  contactPerDevice: whole(5, 1, MAX_RATE),
  contactPerNetwork: whole(30, 1, MAX_RATE),
});

const SiteSettings = z.strictObject({
  /**
   * Downloads that a network (a /24 of IPv4, a /64 of IPv6) may have open at one process. A carrier puts hundreds of
   * phones behind one network, but few of them download at the same moment.
   */
  downloadsPerNetwork: whole(100, 1, 100_000),
  /**
   * While a file is made its size is not known, so a request for its end waits for this long until it is complete. Proxies
   * in front of the server often wait for 30 s or a minute.
   */
  earlyRangeWaitMs: whole(20 * SECOND_MS, 1, HOUR_MS),
  /**
   * Connections that a network may have open to one process, where no proxy is trusted. A browser opens six at most,
   * and one for its socket.
   */
  connectionsPerNetwork: whole(1_000, 1, 1_000_000),
  /** A connection that has not sent the head of a request within this time is closed. */
  headersMs: whole(10 * SECOND_MS, 50, MINUTE_MS),
  /** The same for a whole request with its body. */
  requestMs: whole(MINUTE_MS, 50, 5 * MINUTE_MS),
});

const WorkerSettings = z.strictObject({
  /** Interval between checks for due queue tickets; new tickets are announced at once. */
  ticketPollMs: whole(SECOND_MS, 50, MINUTE_MS),
  /** Interval between checks for expired files, dead workers and lost tickets. */
  sweepMs: whole(5 * SECOND_MS, 50, HOUR_MS),
  /** Interval between checks for stray files: stored files that no job names. */
  strayFileCheckMs: whole(HOUR_MS, SECOND_MS, DAY_MS),
  /** Younger stray files are kept, because their job may be about to name them. */
  strayFileAgeMs: whole(HOUR_MS, SECOND_MS, DAY_MS),
  /** Shortest time between two database writes of one job's progress. */
  progressWriteMs: whole(SECOND_MS, 0, MINUTE_MS),
});

/** Each field is explained at `DeliveryTiming`. */
const WebhookSettings = z.strictObject({
  firstDelayMs: whole(5 * SECOND_MS, 1, HOUR_MS),
  maxDelayMs: whole(HOUR_MS, 1, DAY_MS),
  giveUpMs: whole(DAY_MS, 1, DAY_MS),
  timeoutMs: whole(10 * SECOND_MS, 50, MINUTE_MS),
  /** Where programs of tests are, such as 127.0.0.1:8090. */
  privateHosts: z.array(z.string().transform(parseHostEntry)).default([]),
});

const PreviewSettings = z.strictObject({
  /** Previews made at the same time. */
  concurrency: whole(2, 1, 64),
  /** How long a preview waits for its picture; after that it has none. */
  pictureMs: whole(1_500, 0, MINUTE_MS),
  /** Longest wait for sponsored segments. They are asked for while the video is read, which takes about as long. */
  sponsorsMs: whole(SECOND_MS, 0, MINUTE_MS),
});

const RealtimeSettings = z.strictObject({
  /** At most five pushes of one job are sent within five of these intervals: five per second. */
  pushIntervalMs: whole(200, 0, MINUTE_MS),
  /** Open pages of one device with a socket to one process, and programs of one account. */
  socketsPerDevice: whole(20, 1, 10_000),
  /**
   * Sockets that a network (a /24 of IPv4, a /64 of IPv6) may have open to one process. A page without a socket polls,
   * so that the visitors of a large office lose little.
   */
  socketsPerNetwork: whole(500, 1, 1_000_000),
  /** A connection that does not say within this time whose it is, is closed. */
  identifyMs: whole(5 * SECOND_MS, 50, MINUTE_MS),
  /** A browser that reconnects within this time gets the events that it missed before its snapshot. */
  recoveryMs: whole(2 * MINUTE_MS, 0, HOUR_MS),
  pingIntervalMs: whole(10 * SECOND_MS, 100, 5 * MINUTE_MS),
  /** A socket that does not answer a ping within this time is closed. */
  pingTimeoutMs: whole(8 * SECOND_MS, 100, 5 * MINUTE_MS),
  /** Interval between checks that the sessions of open sockets are still valid. */
  sessionCheckMs: whole(5 * SECOND_MS, 50, HOUR_MS),
  /** Interval between checks for changes of tier. */
  tierPollMs: whole(500, 50, MINUTE_MS),
  /** From the end of one push of the operator's page to the next one. */
  operatorPushMs: whole(2 * SECOND_MS, 50, MINUTE_MS),
  /** Longest time until an entry of the block list is in force in a process. */
  blockPollMs: whole(500, 50, SECOND_MS),
  /** Approximate number of pushes kept in Redis for browsers that reconnect. */
  streamLength: whole(10_000, 100, 10_000_000),
});

const SignInSettings = z.strictObject({
  /** How long the OpenID Connect provider may take to answer. */
  timeoutMs: whole(5 * SECOND_MS, 100, MINUTE_MS),
});

const MailSettings = z.strictObject({
  /** How long a visitor waits until the mail server has accepted a message. */
  timeoutMs: whole(20 * SECOND_MS, 100, MINUTE_MS),
});

const PROVIDER_ADDRESS = "https://api.stripe.com";
const PaymentApiSettings = z.strictObject({
  apiAddress: z.url({ protocol: /^https?$/ }).default(PROVIDER_ADDRESS),
  /** How long the payment provider may take to answer one try of one request. */
  timeoutMs: whole(8 * SECOND_MS, 100, MINUTE_MS),
  /** Interval between reading subscriptions back from the provider without a message from it. */
  reconcileMs: whole(DAY_MS, SECOND_MS, 7 * DAY_MS),
  /** Port of the development stand-in; 0 is a free one. */
  standInPort: whole(0, 0, 65_535),
});

const StorageSettings = z.strictObject({
  /** A connection to S3-compatible storage without a byte for this long is closed. */
  s3TimeoutMs: whole(15 * SECOND_MS, 100, 10 * MINUTE_MS),
  /** How long storing a finished file is repeated while the storage does not answer, before its attempt fails. */
  patienceMs: whole(MINUTE_MS, 0, HOUR_MS),
});

/** Each field is explained at `DatabaseTimeouts`. */
const DatabaseSettings = z.strictObject({
  lostAfterMs: whole(DEFAULT_DATABASE_TIMEOUTS.lostAfterMs, 100, HOUR_MS),
  failOverMs: whole(DEFAULT_DATABASE_TIMEOUTS.failOverMs, 100, HOUR_MS),
  answerMs: whole(DEFAULT_DATABASE_TIMEOUTS.answerMs, 100, HOUR_MS),
});

const RedisSettings = z.strictObject({
  /** Longer than any of our commands takes; after this time the connection counts as dead. */
  commandTimeoutMs: whole(2 * SECOND_MS, 100, HOUR_MS),
});

const ShutdownSettings = z.strictObject({
  /** Longest time that stopping takes, beyond DRAIN_MS. */
  timeoutMs: whole(9 * SECOND_MS, SECOND_MS, 10 * MINUTE_MS),
  /** How long the process may go on after an uncaught error; jobs that are not requeued by then wait for their leases. */
  crashMs: whole(5 * SECOND_MS, SECOND_MS, 10 * MINUTE_MS),
});

const TelemetrySettings = z.strictObject({
  /** Longest time that a stopping process waits for the collector, once for metrics and once for traces. */
  flushMs: whole(1_500, 0, MINUTE_MS),
  /** Interval between two sendings of the metrics. */
  metricsMs: whole(30 * SECOND_MS, SECOND_MS, HOUR_MS),
});

export const Settings = z.strictObject({
  domain: DomainSettings.prefault({}),
  pipeline: PipelineSettings.prefault({}),
  rates: RateSettings.prefault({}),
  site: SiteSettings.prefault({}),
  worker: WorkerSettings.prefault({}),
  webhooks: WebhookSettings.prefault({}),
  previews: PreviewSettings.prefault({}),
  realtime: RealtimeSettings.prefault({}),
  signIn: SignInSettings.prefault({}),
  mail: MailSettings.prefault({}),
  payment: PaymentApiSettings.prefault({}),
  storage: StorageSettings.prefault({}),
  database: DatabaseSettings.prefault({}),
  redis: RedisSettings.prefault({}),
  shutdown: ShutdownSettings.prefault({}),
  telemetry: TelemetrySettings.prefault({}),
});
export type Settings = z.output<typeof Settings>;
/** Any part of the settings, group by group. */
export type SettingsOverrides = z.input<typeof Settings>;

/** @returns the overrides of both; fields of `more` replace those of `base` */
export function mergeSettings(base: SettingsOverrides, more: SettingsOverrides): SettingsOverrides {
  return {
    domain: { ...base.domain, ...more.domain },
    pipeline: { ...base.pipeline, ...more.pipeline },
    rates: { ...base.rates, ...more.rates },
    site: { ...base.site, ...more.site },
    worker: { ...base.worker, ...more.worker },
    webhooks: { ...base.webhooks, ...more.webhooks },
    previews: { ...base.previews, ...more.previews },
    realtime: { ...base.realtime, ...more.realtime },
    signIn: { ...base.signIn, ...more.signIn },
    mail: { ...base.mail, ...more.mail },
    payment: { ...base.payment, ...more.payment },
    storage: { ...base.storage, ...more.storage },
    database: { ...base.database, ...more.database },
    redis: { ...base.redis, ...more.redis },
    shutdown: { ...base.shutdown, ...more.shutdown },
    telemetry: { ...base.telemetry, ...more.telemetry },
  };
}
