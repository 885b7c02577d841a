/**
 * Limits and times that no operator changes, with defaults and bounds: those of each part. Tests and benches pass
 * overrides to `readConfig`; no environment variable sets them. What operators set is in variables.ts.
 */
import { z } from "zod";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../common/durations.ts";
import { bounded } from "../../common/bounded.ts";
import { parseHostEntry } from "../../common/hosts.ts";
import { DatabaseTimeouts } from "../domain/database/database-timeouts.ts";
import { DomainLimits } from "../domain/limits.ts";
import { DeliveryTiming } from "../domain/webhooks/delivery-timing.ts";
import { RateLimits } from "../http/middleware/rate-limits.ts";
import { PipelineLimits } from "../pipeline/limits.ts";
import { RealtimeLimits } from "../realtime/realtime-limits.ts";

const SiteSettings = z.strictObject({
  /**
   * Downloads that a network (a /24 of IPv4, a /64 of IPv6) may have open at one process. A carrier puts hundreds of
   * phones behind one network, but few of them download at the same moment.
   */
  downloadsPerNetwork: bounded(100, 1, 100_000),
  /**
   * While a file is made its size is not known, so a request for its end waits for this long until it is complete. Proxies
   * in front of the server often wait for 30 s or a minute.
   */
  earlyRangeWaitMs: bounded(20 * SECOND_MS, 1, HOUR_MS),
  /**
   * Connections that a network may have open to one process, where no proxy is trusted. A browser opens six at most,
   * and one for its socket.
   */
  connectionsPerNetwork: bounded(1_000, 1, 1_000_000),
  /** A connection that has not sent the head of a request within this time is closed. */
  headersMs: bounded(10 * SECOND_MS, 50, MINUTE_MS),
  /** The same for a whole request with its body. */
  requestMs: bounded(MINUTE_MS, 50, 5 * MINUTE_MS),
});

const WorkerSettings = z.strictObject({
  /** Interval between checks for due queue tickets; new tickets are announced at once. */
  ticketPollMs: bounded(SECOND_MS, 50, MINUTE_MS),
  /** Interval between checks for expired files, dead workers and lost tickets. */
  sweepMs: bounded(5 * SECOND_MS, 50, HOUR_MS),
  /** Interval between checks for stray files: stored files that no job names. */
  strayFileCheckMs: bounded(HOUR_MS, SECOND_MS, DAY_MS),
  /** Younger stray files are kept, because their job may be about to name them. */
  strayFileAgeMs: bounded(HOUR_MS, SECOND_MS, DAY_MS),
  /** Interval between checks for followed lists that are due. */
  followPollMs: bounded(10 * SECOND_MS, 50, MINUTE_MS),
  /** Shortest time between two database writes of one job's progress. */
  progressWriteMs: bounded(SECOND_MS, 0, MINUTE_MS),
});

const WebhookSettings = DeliveryTiming.extend({
  /** Where programs of tests are, such as 127.0.0.1:8090. */
  privateHosts: z.array(z.string().transform(parseHostEntry)).default([]),
});

const PreviewSettings = z.strictObject({
  /** Links of one site that are looked at at the same time, before anything is converted. */
  concurrency: bounded(2, 1, 64),
  /** How long a preview waits for its picture; after that it has none. */
  pictureMs: bounded(1_500, 0, MINUTE_MS),
  /** Longest wait for sponsored segments. They are asked for while the video is read, which takes about as long. */
  sponsorsMs: bounded(SECOND_MS, 0, MINUTE_MS),
});

const RealtimeSettings = RealtimeLimits.extend({
  /** Interval between checks for changes of tier. */
  tierPollMs: bounded(500, 50, MINUTE_MS),
  /** Longest time until an entry of the block list is in force in a process. */
  blockPollMs: bounded(500, 50, SECOND_MS),
  /** Approximate number of pushes kept in Redis for browsers that reconnect. */
  streamLength: bounded(10_000, 100, 10_000_000),
});

const SignInSettings = z.strictObject({
  /** How long the OpenID Connect provider may take to answer. */
  timeoutMs: bounded(5 * SECOND_MS, 100, MINUTE_MS),
});

const MailSettings = z.strictObject({
  /** How long a visitor waits until the mail server has accepted a message. */
  timeoutMs: bounded(20 * SECOND_MS, 100, MINUTE_MS),
});

const PROVIDER_ADDRESS = "https://api.stripe.com";
const PaymentApiSettings = z.strictObject({
  apiAddress: z.url({ protocol: /^https?$/ }).default(PROVIDER_ADDRESS),
  /** How long the payment provider may take to answer one try of one request. */
  timeoutMs: bounded(8 * SECOND_MS, 100, MINUTE_MS),
  /** Interval between reading subscriptions back from the provider without a message from it. */
  reconcileMs: bounded(DAY_MS, SECOND_MS, 7 * DAY_MS),
  /** Port of the development stand-in; 0 is a free one. */
  standInPort: bounded(0, 0, 65_535),
});

const StorageSettings = z.strictObject({
  /** A connection to S3-compatible storage without a byte for this long is closed. */
  s3TimeoutMs: bounded(15 * SECOND_MS, 100, 10 * MINUTE_MS),
  /** How long storing a finished file is repeated while the storage does not answer, before its attempt fails. */
  patienceMs: bounded(MINUTE_MS, 0, HOUR_MS),
});

const RedisSettings = z.strictObject({
  /** Longer than any of our commands takes; after this time the connection counts as dead. */
  commandTimeoutMs: bounded(2 * SECOND_MS, 100, HOUR_MS),
});

const ShutdownSettings = z.strictObject({
  /** Longest time that stopping takes, beyond DRAIN_MS. */
  timeoutMs: bounded(9 * SECOND_MS, SECOND_MS, 10 * MINUTE_MS),
  /** How long the process may go on after an uncaught error; jobs that are not requeued by then wait for their leases. */
  crashMs: bounded(5 * SECOND_MS, SECOND_MS, 10 * MINUTE_MS),
});

const TelemetrySettings = z.strictObject({
  /** Longest time that a stopping process waits for the collector, once for metrics and once for traces. */
  flushMs: bounded(1_500, 0, MINUTE_MS),
  /** Interval between two sendings of the metrics. */
  metricsMs: bounded(30 * SECOND_MS, SECOND_MS, HOUR_MS),
});

export const Settings = z.strictObject({
  domain: DomainLimits.prefault({}),
  pipeline: PipelineLimits.prefault({}),
  rates: RateLimits.prefault({}),
  site: SiteSettings.prefault({}),
  worker: WorkerSettings.prefault({}),
  webhooks: WebhookSettings.prefault({}),
  previews: PreviewSettings.prefault({}),
  realtime: RealtimeSettings.prefault({}),
  signIn: SignInSettings.prefault({}),
  mail: MailSettings.prefault({}),
  payment: PaymentApiSettings.prefault({}),
  storage: StorageSettings.prefault({}),
  database: DatabaseTimeouts.prefault({}),
  redis: RedisSettings.prefault({}),
  shutdown: ShutdownSettings.prefault({}),
  telemetry: TelemetrySettings.prefault({}),
});
export type Settings = z.output<typeof Settings>;
/** Any part of the settings, group by group. */
export type SettingsOverrides = z.input<typeof Settings>;

/** @returns the overrides of both; fields of `more` replace those of `base` */
export function mergeSettings(base: SettingsOverrides, more: SettingsOverrides): SettingsOverrides {
  const groups = Object.keys(Settings.shape) as (keyof Settings)[];
  return Object.fromEntries(groups.map((group) => [group, { ...base[group], ...more[group] }]));
}
