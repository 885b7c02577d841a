/** The environment, read once and checked. Nothing else in the server looks at `process.env`. */
import { resolve } from "node:path";
import { CONTACTS_AS_BUILT, type Contacts } from "../common/contacts.ts";
import { DEFAULT_DOMAIN_LIMITS, type DomainLimits } from "./domain/domain.ts";
import type { RateLimits } from "./http/middleware/limit.ts";
import type { PipelineLimits } from "./pipeline/pipeline.ts";
import type { S3Settings } from "./storage/s3-client.ts";
import { VARIABLES, type Environment, type Variable, type VariableName } from "./config-variables.ts";

const MB = 1_000_000;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** With the seconds of SHUTDOWN_TIMEOUT_MS a little more than what container engines usually give; most jobs are done in less. */
const DEFAULT_DRAIN_MS = 25_000;

/** A variable is wrong; the message is one line that names it and says what it should be. */
export class ConfigError extends Error {}

export interface PaymentSettings {
  readonly secretKey: string;
  readonly publishableKey: string;
  readonly webhookSecret: string;
  /** Where the provider's interface answers. */
  readonly apiAddress: string;
}

export interface Config {
  readonly env: Environment;
  readonly isProduction: boolean;
  /** No other process works on the same database and data folder. */
  readonly isAlone: boolean;
  readonly publicUrl: string;
  readonly contacts: Contacts;
  /** Null: none was named. */
  readonly signIn: { readonly issuer: string; readonly clientId: string; readonly clientSecret: string } | null;
  /** Null: nobody can pay. A stand-in brings its own. */
  readonly payment: PaymentSettings | null;
  /** Pro is kept for this long while a payment is overdue. */
  readonly graceMs: number;
  /** Milliseconds a browser stays signed in without a visit. */
  readonly sessionMs: number;
  readonly dataDir: string;
  /** Null: finished files are kept below `dataDir`. */
  readonly s3: S3Settings | null;
  /** Milliseconds that what is in hand is given when the process stops. */
  readonly drainMs: number;
  readonly domainLimits: DomainLimits;
  readonly rateLimits: RateLimits;
  readonly pipelineLimits: PipelineLimits;
}

/** @throws ConfigError for the first variable that is wrong or missing */
export function readConfig(source: Record<string, string | undefined>): Config {
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(VARIABLES) as VariableName[]) {
    const variable: Variable = VARIABLES[name];
    const parsed = variable.schema.safeParse(source[name]);
    if (!parsed.success) {
      const given = variable.isSecret ? "" : `, but is ${JSON.stringify(source[name])}`;
      throw new ConfigError(`${name} must be ${parsed.error.issues[0]?.message}${given}`);
    }
    values[name] = parsed.data;
  }
  const env = values as Environment;
  const isProduction = env.NODE_ENV === "production";
  if (isProduction && env.MONGODB_URI === undefined) throw new ConfigError("MONGODB_URI must be set in production: there is no embedded database there");
  if (isProduction && env.SESSION_KEYS === undefined) throw new ConfigError("SESSION_KEYS must be set in production: keys of at least 32 characters each, separated by commas");
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env;
  const isNamed = issuer !== undefined && clientId !== undefined && clientSecret !== undefined;
  const lone = (["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"] as const).find((name) => env[name] !== undefined);
  if (!isNamed && lone !== undefined)
    throw new ConfigError(`${lone} must be set together with the others of OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, or not at all`);
  const s3 = readS3(env);
  if (env.ROLE !== "all") requireShared(env, s3);
  return {
    env,
    isProduction,
    isAlone: env.ROLE === "all" && env.REDIS_URL === undefined,
    publicUrl: env.PUBLIC_URL ?? `http://localhost:${env.PORT}`,
    contacts: readContacts(env),
    signIn: isNamed ? { issuer, clientId, clientSecret } : null,
    payment: readPayment(env, isProduction),
    graceMs: env.GRACE_DAYS * DAY_MS,
    sessionMs: env.SESSION_DAYS * DAY_MS,
    dataDir: resolve(env.DATA_DIR ?? ".data"),
    s3,
    drainMs: env.DRAIN_MS ?? (env.ROLE === "all" ? 0 : DEFAULT_DRAIN_MS),
    domainLimits: {
      ...DEFAULT_DOMAIN_LIMITS,
      maxAttempts: env.MAX_ATTEMPTS,
      retryBackoffMs: env.RETRY_BACKOFF_MS,
      leaseMs: env.LEASE_MS,
      listLength: env.LIST_LENGTH,
      historyMs: env.HISTORY_DAYS * DAY_MS,
      usageLogMs: env.USAGE_LOG_DAYS * DAY_MS,
      activeJobs: { free: env.ACTIVE_JOBS_FREE, pro: env.ACTIVE_JOBS_PRO },
      // The sweeper comes by within the last day.
      accountPurgeMs: (env.ACCOUNT_PURGE_DAYS - 1) * DAY_MS,
    },
    rateLimits: {
      createPerDevice: { free: env.CREATE_PER_MINUTE_DEVICE, pro: env.CREATE_PER_MINUTE_DEVICE_PRO },
      createPerUser: { free: env.CREATE_PER_MINUTE_USER, pro: env.CREATE_PER_MINUTE_USER_PRO },
      createPerAddress: { free: env.CREATE_PER_MINUTE_ADDRESS, pro: env.CREATE_PER_MINUTE_ADDRESS_PRO },
      signInPerAddress: env.SIGN_IN_PER_MINUTE_ADDRESS,
      previewPerDevice: env.PREVIEW_PER_MINUTE_DEVICE,
      previewPerAddress: env.PREVIEW_PER_MINUTE_ADDRESS,
      billingPerUser: env.BILLING_PER_MINUTE_USER,
    },
    pipelineLimits: {
      probeTimeoutMs: env.PROBE_TIMEOUT_MS,
      stallTimeoutMs: env.STALL_TIMEOUT_MS,
      jobTimeoutMs: env.JOB_TIMEOUT_MS,
      inspectTimeoutMs: env.INSPECT_TIMEOUT_MS,
      killGraceMs: env.KILL_GRACE_MS,
      maxInfoBytes: env.MAX_INFO_MB * MB,
      maxProbeBytes: env.MAX_PROBE_MB * MB,
      maxPlaylistBytes: env.MAX_PLAYLIST_MB * MB,
      maxToolMemoryBytes: env.MAX_TOOL_MEMORY_MB * MB,
      maxFragments: env.MAX_FRAGMENTS,
      maxPixels: env.MAX_MEGAPIXELS * MB,
      maxSourceFactor: env.MAX_SOURCE_FACTOR,
      minFreeDiskBytes: env.MIN_FREE_DISK_MB * MB,
      thumbnailTimeoutMs: env.THUMBNAIL_TIMEOUT_MS,
      maxThumbnailBytes: env.MAX_THUMBNAIL_MB * MB,
    },
  };
}

/** What a process that is one of several cannot make for itself. @throws ConfigError */
function requireShared(env: Environment, s3: S3Settings | null): void {
  const role = `ROLE=${env.ROLE}`;
  if (env.REDIS_URL === undefined) throw new ConfigError(`REDIS_URL must be set with ${role}: processes tell each other through Redis what happens`);
  if (env.MONGODB_URI === undefined) throw new ConfigError(`MONGODB_URI must be set with ${role}: an embedded database serves one process alone`);
  if (env.ROLE === "web" && env.SESSION_KEYS === undefined) throw new ConfigError(`SESSION_KEYS must be set with ${role}: every process must know the cookies that another has signed`);
  if (s3 === null && env.SHARED_DISK === "off")
    throw new ConfigError(`S3_ENDPOINT must be set with ${role}, together with the other S3_ variables, or SHARED_DISK=on where DATA_DIR lies on a disk that all processes share: what a worker makes, a web process serves`);
}

/** Three keys of one kind, or none. @throws ConfigError */
function readPayment(env: Environment, isProduction: boolean): PaymentSettings | null {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = env;
  const lone = (["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET"] as const).find((name) => env[name] !== undefined);
  if (env.PAYMENT_STAND_IN === "on") {
    if (isProduction) throw new ConfigError("PAYMENT_STAND_IN must be off in production: it takes no money");
    if (lone !== undefined) throw new ConfigError(`PAYMENT_STAND_IN must be off when ${lone} is set: one of them is meant`);
  }
  if (lone === undefined) return null;
  if (secretKey === undefined || publishableKey === undefined || webhookSecret === undefined)
    throw new ConfigError(`${lone} must be set together with the others of STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET, or not at all`);
  const wanted = isProduction ? "_live_" : "_test_";
  for (const [name, key] of [["STRIPE_SECRET_KEY", secretKey], ["STRIPE_PUBLISHABLE_KEY", publishableKey]] as const)
    if (!key.includes(wanted))
      throw new ConfigError(isProduction ? `${name} must be a live key in production: with a test key nobody would pay` : `${name} must be a test key outside production: a live key moves real money`);
  if (isProduction && !env.STRIPE_API_ADDRESS.startsWith("https:")) throw new ConfigError("STRIPE_API_ADDRESS must be an https address in production: the secret key goes there");
  return { secretKey, publishableKey, webhookSecret, apiAddress: env.STRIPE_API_ADDRESS };
}

/** Who has a name for the site has addresses there; a development machine has those that nobody reads. */
function readContacts(env: Environment): Contacts {
  const host = env.PUBLIC_URL === undefined ? "" : new URL(env.PUBLIC_URL).hostname.replace(/^www\./, "");
  const isName = /\.[a-z][a-z0-9-]*$/i.test(host);
  const supportEmail = env.SUPPORT_EMAIL ?? (isName ? `support@${host}` : undefined);
  const { supportEmail: nobody, takedownEmail: nobodyEither } = CONTACTS_AS_BUILT;
  return { supportEmail: supportEmail ?? nobody, takedownEmail: env.TAKEDOWN_EMAIL ?? supportEmail ?? nobodyEither };
}

/** Storage for files with all that it takes, or none. @throws ConfigError */
function readS3(env: Environment): S3Settings | null {
  const needed = ["S3_ENDPOINT", "S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"] as const;
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey, S3_PUBLIC_ENDPOINT: publicEndpoint = endpoint } = env;
  const lone = [...needed, "S3_PUBLIC_ENDPOINT" as const].find((name) => env[name] !== undefined);
  if (lone === undefined) {
    if (env.S3_DOWNLOADS === "presigned") throw new ConfigError(`S3_DOWNLOADS must be proxy without S3-compatible storage: set ${needed.join(", ")}`);
    return null;
  }
  const missing = needed.filter((name) => env[name] === undefined);
  if (endpoint === undefined || publicEndpoint === undefined || bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined)
    throw new ConfigError(`${lone} must be set together with ${missing.join(", ")}, or not at all: with all of them files go to S3-compatible storage`);
  // Browsers do not follow a secure page to a download in the clear.
  if (env.S3_DOWNLOADS === "presigned" && env.PUBLIC_URL?.startsWith("https:") && !publicEndpoint.startsWith("https:"))
    throw new ConfigError(`S3_PUBLIC_ENDPOINT must be an https address where PUBLIC_URL is one, but is ${JSON.stringify(publicEndpoint)}; or set S3_DOWNLOADS to proxy`);
  return {
    endpoint,
    publicEndpoint,
    bucket,
    accessKeyId,
    secretAccessKey,
    region: env.S3_REGION ?? "us-east-1",
    prefix: env.S3_PREFIX,
    forcePathStyle: env.S3_FORCE_PATH_STYLE === "on",
    downloads: env.S3_DOWNLOADS,
    timeoutMs: env.S3_TIMEOUT_MS,
  };
}
