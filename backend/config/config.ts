/** Reads and checks the environment once; the rest of the server never reads `process.env`. */
import { resolve } from "node:path";
import { DAY_MS } from "../../common/durations.ts";
import { CONTACTS_AS_BUILT, type Contacts } from "../../common/contacts.ts";
import type { SmtpAddress } from "../mail/smtp-address.ts";
import type { S3Settings } from "../storage/s3-client.ts";
import { DEFAULT_DOMAIN_LIMITS, OWNERS_PER_NETWORK } from "../domain/limits.ts";
import { createRates } from "../http/middleware/rate-limits.ts";
import { mergeSettings, Settings, type SettingsOverrides } from "./settings.ts";
import { isEmailAddress, type Variable } from "./variable-kinds.ts";
import { VARIABLES, type Environment, type VariableName } from "./variables.ts";

/** Most jobs end sooner. With `settings.shutdown` it exceeds the usual limit of container engines (compose.yaml). */
const DEFAULT_DRAIN_MS = 25_000;

/** The configuration cannot be used. The message is one line for the operator and says what to change. */
export class ConfigError extends Error {}

export interface PaymentSettings {
  readonly secretKey: string;
  readonly publishableKey: string;
  readonly webhookSecret: string;
  /** Base address of the provider's API. */
  readonly apiAddress: string;
}

export interface MailSettings {
  readonly server: SmtpAddress;
  /** Address that mails come from. */
  readonly from: string;
  /** Address that they go to. */
  readonly to: string;
}

export interface Config {
  readonly env: Environment;
  readonly isProduction: boolean;
  /** No other process works on the same database and data folder. */
  readonly isSingleProcess: boolean;
  readonly publicUrl: string;
  /** Address to listen on; undefined: all. */
  readonly host: string | undefined;
  readonly contacts: Contacts;
  /** Null when there is no mail server, and therefore no contact form. */
  readonly mail: MailSettings | null;
  /** Null when no OpenID Connect provider is configured. */
  readonly signIn: { readonly issuer: string; readonly clientId: string; readonly clientSecret: string } | null;
  /** Null when payment is not configured; the payment stand-in has its own settings. */
  readonly payment: PaymentSettings | null;
  /** Pro is kept for this long while a payment is overdue. */
  readonly graceMs: number;
  /** How long a browser stays signed in without a visit. */
  readonly sessionMs: number;
  readonly dataDir: string;
  /** Null when finished files are kept in `dataDir`. */
  readonly s3: S3Settings | null;
  /** PEM file of further certificate authorities, from Node's own variable NODE_EXTRA_CA_CERTS; tools trust it too. */
  readonly caFile: string | undefined;
  /** Variables of pip and of its connections, which a renewal of yt-dlp passes to it. */
  readonly pipEnvironment: Readonly<Record<string, string>>;
  /** How long running jobs and downloads may go on when the process stops. */
  readonly drainMs: number;
  /** Limits and times that have no environment variable. */
  readonly settings: Settings;
  /** Whether tools must, should or must not run in a sandbox. */
  readonly toolSandbox: "required" | "preferred" | "off";
}

/**
 * @param source environment variables by name
 * @param overrides settings of a test or bench; they override those that follow from the environment
 * @throws ConfigError for the first variable that is wrong or missing, or for the first setting outside its bounds
 */
export function readConfig(source: Record<string, string | undefined>, overrides: SettingsOverrides = {}): Config {
  const env = readEnvironment(source);
  const settings = readSettings(env, overrides);
  const isProduction = env.NODE_ENV === "production";
  if (isProduction && env.MONGODB_URI === undefined)
    throw new ConfigError("MONGODB_URI must be set in production: there is no embedded database there");
  const isSingleProcess = env.ROLE === "all" && env.REDIS_URL === undefined;
  if (isProduction && env.ROLE === "all" && !isSingleProcess) requireSessionKeys(env, "REDIS_URL");
  const s3 = readS3(env, settings);
  if (env.ROLE !== "all") requireShared(env, s3);
  const contacts = readContacts(env);
  return {
    env,
    isProduction,
    isSingleProcess,
    publicUrl: env.PUBLIC_URL ?? `http://localhost:${env.PORT}`,
    // Elsewhere anyone can sign in as anybody, so only this machine may connect.
    host: env.HOST ?? (isProduction ? undefined : "127.0.0.1"),
    contacts,
    mail: readMail(env, contacts),
    signIn: readSignIn(env),
    payment: readPayment(env, settings, isProduction),
    graceMs: env.GRACE_DAYS * DAY_MS,
    sessionMs: env.SESSION_DAYS * DAY_MS,
    dataDir: resolve(env.DATA_DIR ?? ".data"),
    s3,
    caFile: source["NODE_EXTRA_CA_CERTS"] || undefined,
    pipEnvironment: readPipEnvironment(source),
    drainMs: env.DRAIN_MS ?? (env.ROLE === "all" ? 0 : DEFAULT_DRAIN_MS),
    settings,
    toolSandbox: env.TOOL_SANDBOX ?? (isProduction ? "required" : "preferred"),
  };
}

/** An index, a proxy, certificates. Where pip installs is not among them, because the renewal decides that. */
const PIP_VARIABLE =
  /^(?:pip_(?!target$|prefix$|root$|user$)\w+|(?:https?|all|no)_proxy|ssl_cert_file|requests_ca_bundle)$/i;

function readPipEnvironment(source: Record<string, string | undefined>): Record<string, string> {
  const chosen = Object.entries(source).filter(([name, value]) => PIP_VARIABLE.test(name) && value !== undefined);
  return Object.fromEntries(chosen) as Record<string, string>;
}

/** @throws ConfigError for the first variable that is wrong */
function readEnvironment(source: Record<string, string | undefined>): Environment {
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
  return values as Environment;
}

/** @throws ConfigError for the first setting outside its bounds */
function readSettings(env: Environment, overrides: SettingsOverrides): Settings {
  const activeJobs = { free: env.ACTIVE_JOBS_FREE, pro: env.ACTIVE_JOBS_PRO };
  const activeJobsPerNetwork = OWNERS_PER_NETWORK * env.ACTIVE_JOBS_FREE;
  const sessionAgeMs = Math.max(DEFAULT_DOMAIN_LIMITS.sessionAgeMs, env.SESSION_DAYS * DAY_MS);
  const fromEnvironment = {
    domain: { activeJobs, activeJobsPerNetwork, sessionAgeMs },
    rates: createRates(env.CREATE_PER_MINUTE),
  };
  const parsed = Settings.safeParse(mergeSettings(fromEnvironment, overrides));
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0] ?? { path: [], message: "" };
  throw new ConfigError(`the setting ${path.join(".")} is refused: ${message}`);
}

/** All three variables of the provider, or none. @throws ConfigError */
function readSignIn(env: Environment): Config["signIn"] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env;
  if (issuer !== undefined && clientId !== undefined && clientSecret !== undefined)
    return { issuer, clientId, clientSecret };
  const given = firstGiven(env, ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"]);
  if (given === undefined) return null;
  throw new ConfigError(
    `${given} must be set together with the others of OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, ` +
      "or not at all",
  );
}

/** @returns the first of the variables that is set */
function firstGiven<T extends VariableName>(env: Environment, names: readonly T[]): T | undefined {
  return names.find((name) => env[name] !== undefined);
}

/** Checks the variables that a process needs when it is one of several. @throws ConfigError */
function requireShared(env: Environment, s3: S3Settings | null): void {
  const role = `ROLE=${env.ROLE}`;
  if (env.REDIS_URL === undefined)
    throw new ConfigError(`REDIS_URL must be set with ${role}: Redis connects the processes`);
  if (env.MONGODB_URI === undefined)
    throw new ConfigError(`MONGODB_URI must be set with ${role}: an embedded database serves one process alone`);
  if (env.ROLE === "web") requireSessionKeys(env, role);
  if (s3 === null && env.SHARED_DISK === "off")
    throw new ConfigError(
      `S3_ENDPOINT must be set with ${role}, together with the other S3_ variables, or SHARED_DISK=on where DATA_DIR ` +
        "lies on a disk that all processes share: web processes serve the files that workers make",
    );
}

/** @throws ConfigError */
function requireSessionKeys({ SESSION_KEYS: keys }: Environment, reason: string): void {
  if (keys !== undefined) return;
  throw new ConfigError(
    `SESSION_KEYS must be set with ${reason}: every process must verify the cookies that another one has signed`,
  );
}

/** Three keys of one kind, or none. @throws ConfigError */
function readPayment(env: Environment, settings: Settings, isProduction: boolean): PaymentSettings | null {
  const {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_PUBLISHABLE_KEY: publishableKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
  } = env;
  const given = firstGiven(env, ["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET"]);
  if (env.PAYMENT_STAND_IN === "on") {
    if (isProduction) throw new ConfigError("PAYMENT_STAND_IN must be off in production: it takes no money");
    if (given !== undefined)
      throw new ConfigError(`PAYMENT_STAND_IN must be off when ${given} is set: only one of them can be used`);
  }
  if (given === undefined) return null;
  if (secretKey === undefined || publishableKey === undefined || webhookSecret === undefined)
    throw new ConfigError(
      `${given} must be set together with the others of STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and ` +
        "STRIPE_WEBHOOK_SECRET, or not at all",
    );
  checkKeyKind("STRIPE_SECRET_KEY", secretKey, isProduction);
  checkKeyKind("STRIPE_PUBLISHABLE_KEY", publishableKey, isProduction);
  const { apiAddress } = settings.payment;
  if (isProduction && !apiAddress.startsWith("https:"))
    throw new ConfigError(
      "the setting payment.apiAddress must be an https address in production: the secret key goes there",
    );
  return { secretKey, publishableKey, webhookSecret, apiAddress };
}

/** @throws ConfigError for a test key in production and for a live key elsewhere */
function checkKeyKind(name: VariableName, key: string, isProduction: boolean): void {
  if (key.includes(isProduction ? "_live_" : "_test_")) return;
  throw new ConfigError(
    isProduction
      ? `${name} must be a live key in production: a test key moves no money`
      : `${name} must be a test key outside production: a live key moves real money`,
  );
}

/** The default addresses are at the domain of PUBLIC_URL; without a domain they are examples that no one reads. */
function readContacts(env: Environment): Contacts {
  const host = env.PUBLIC_URL === undefined ? "" : new URL(env.PUBLIC_URL).hostname.replace(/^www\./, "");
  const isDomain = /\.[a-z][a-z0-9-]*$/i.test(host);
  const supportEmail = env.SUPPORT_EMAIL ?? (isDomain ? `support@${host}` : undefined);
  return {
    supportEmail: supportEmail ?? CONTACTS_AS_BUILT.supportEmail,
    takedownEmail: env.TAKEDOWN_EMAIL ?? supportEmail ?? CONTACTS_AS_BUILT.takedownEmail,
    hasForm: env.SMTP_URL !== undefined,
  };
}

/** @throws ConfigError without an address that the messages could go to */
function readMail({ SMTP_URL: server }: Environment, { supportEmail }: Contacts): MailSettings | null {
  if (server === undefined) return null;
  if (supportEmail === CONTACTS_AS_BUILT.supportEmail)
    throw new ConfigError("SUPPORT_EMAIL must be set with SMTP_URL: the messages of the contact form go there");
  // Many mail servers refuse mails that do not come from the address that has logged in.
  const loginName = server.login?.name ?? "";
  return { server, from: isEmailAddress(loginName) ? loginName : supportEmail, to: supportEmail };
}

/** All variables that S3-compatible storage needs, or none. @throws ConfigError */
function readS3(env: Environment, settings: Settings): S3Settings | null {
  const needed = ["S3_ENDPOINT", "S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"] as const;
  const {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
    S3_PUBLIC_ENDPOINT: publicEndpoint = endpoint,
  } = env;
  const given = firstGiven(env, [...needed, "S3_PUBLIC_ENDPOINT"]);
  if (given === undefined) {
    if (env.S3_DOWNLOADS === "presigned")
      throw new ConfigError(`S3_DOWNLOADS must be proxy without S3-compatible storage: set ${needed.join(", ")}`);
    return null;
  }
  const missing = needed.filter((name) => env[name] === undefined);
  if (
    endpoint === undefined ||
    publicEndpoint === undefined ||
    bucket === undefined ||
    accessKeyId === undefined ||
    secretAccessKey === undefined
  )
    throw new ConfigError(
      `${given} must be set together with ${missing.join(", ")}, or not at all: ` +
        "with all of them files go to S3-compatible storage",
    );
  // Browsers block a download without TLS from a page with TLS.
  if (env.S3_DOWNLOADS === "presigned" && env.PUBLIC_URL?.startsWith("https:") && !publicEndpoint.startsWith("https:"))
    throw new ConfigError(
      "S3_PUBLIC_ENDPOINT must be an https address where PUBLIC_URL is one, " +
        `but is ${JSON.stringify(publicEndpoint)}; ` +
        "or set S3_DOWNLOADS to proxy",
    );
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
    timeoutMs: settings.storage.s3TimeoutMs,
  };
}
