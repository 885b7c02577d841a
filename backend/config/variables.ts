/**
 * Every variable the server reads: its shape, its default and what it is for. `.env.example` and
 * the table of backend/README.md are held against this list by a test.
 */
import { z } from "zod";
import { parseHostList } from "../../common/hosts.ts";
import { DEFAULT_DOMAIN_LIMITS } from "../domain/domain.ts";
import { DEFAULT_CREATE_PER_MINUTE } from "./settings.ts";
import { usualConcurrency } from "./usual-concurrency.ts";

export interface Variable<T = unknown> {
  /** Takes the text; its message says what the variable should be. */
  readonly schema: z.ZodType<T, string | undefined>;
  /** As it would be written; empty: none. */
  readonly default: string;
  readonly about: string;
  /** What to read in the table where the default is worked out. */
  readonly defaultAs?: string;
  /** Not repeated in a complaint: those end up in logs. */
  readonly isSecret?: true;
}

function text(about: string, fallback = "", defaultAs?: string): Variable<string | undefined> {
  return {
    schema: z
      .string()
      .default(fallback)
      .transform((value) => (value.trim() === "" ? undefined : value.trim())),
    default: fallback,
    about,
    ...(defaultAs === undefined ? {} : { defaultAs }),
  };
}

function whole(about: string, fallback: number, min: number, max: number, defaultAs?: string): Variable<number> {
  const shape = `a whole number from ${min} to ${max}`;
  return {
    schema: z
      .string()
      .default(String(fallback))
      .transform((value) => (value.trim() === "" ? String(fallback) : value.trim()))
      .refine((value) => /^\d+$/.test(value) && Number(value) >= min && Number(value) <= max, shape)
      .transform(Number),
    default: String(fallback),
    about,
    ...(defaultAs === undefined ? {} : { defaultAs }),
  };
}

function perhapsWhole(about: string, min: number, max: number, defaultAs: string): Variable<number | undefined> {
  return {
    schema: z
      .string()
      .default("")
      .transform((value) => value.trim())
      .refine(
        (value) => value === "" || (/^\d+$/.test(value) && Number(value) >= min && Number(value) <= max),
        `a whole number from ${min} to ${max}`,
      )
      .transform((value) => (value === "" ? undefined : Number(value))),
    default: "",
    about,
    defaultAs,
  };
}

function oneOf<const T extends readonly string[]>(about: string, options: T, fallback: T[number]): Variable<T[number]> {
  return {
    schema: z
      .string()
      .default(fallback)
      .transform((value) => (value.trim() === "" ? fallback : value.trim()))
      .refine((value): value is T[number] => options.includes(value), `one of ${options.join(", ")}`),
    default: fallback,
    about,
  };
}

function perhapsOneOf<const T extends readonly string[]>(about: string, options: T): Variable<T[number] | undefined> {
  return {
    schema: z
      .string()
      .default("")
      .transform((value) => (value.trim() === "" ? undefined : value.trim()))
      .refine(
        (value): value is T[number] | undefined => value === undefined || options.includes(value),
        `one of ${options.join(", ")}`,
      ),
    default: "",
    about,
  };
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const DEFAULT_HOSTS = "youtube.com,youtu.be";
const hosts: Variable<ReturnType<typeof parseHostList>> = {
  schema: z
    .string()
    .default(DEFAULT_HOSTS)
    .transform((value, context) => {
      try {
        const list = parseHostList(value.trim() === "" ? DEFAULT_HOSTS : value);
        if (list.length > 0) return list;
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
      }
      context.addIssue({ code: "custom", message: "hosts separated by commas, such as youtube.com,localhost:8090" });
      return z.NEVER;
    }),
  default: DEFAULT_HOSTS,
  about:
    "Hosts whose links are taken, with what lies below them. A private address listed here with its port may be contacted",
};

const publicUrl: Variable<string | undefined> = {
  schema: z
    .string()
    .default("")
    .refine(
      (value) => value.trim() === "" || (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)),
      "an address such as https://tapedeck.example",
    )
    .transform((value) => (value.trim() === "" ? undefined : value.trim())),
  default: "",
  defaultAs: "http://localhost:PORT",
  about: "Where people reach the site; https here makes cookies secure",
};

const email = (about: string, defaultAs: string): Variable<string | undefined> => ({
  schema: z
    .string()
    .default("")
    .transform((value) => (value.trim() === "" ? undefined : value.trim()))
    .refine(
      (value) => value === undefined || z.email().safeParse(value).success,
      "an address such as support@tapedeck.example",
    ),
  default: "",
  defaultAs,
  about,
});

const mongodbUri: Variable<string | undefined> = {
  schema: z
    .string()
    .default("")
    .transform((value) => (value.trim() === "" ? undefined : value.trim()))
    .refine(
      (value) => value === undefined || /^mongodb(?:\+srv)?:\/\/[^/]/.test(value),
      "an address such as mongodb://localhost:27017/tapedeck",
    ),
  default: "",
  defaultAs: "an embedded one; required in production",
  about: "A MongoDB to use",
  isSecret: true,
};

const sessionKeys: Variable<string[] | undefined> = {
  schema: z
    .string()
    .default("")
    .transform((value) =>
      value
        .split(",")
        .map((key) => key.trim())
        .filter((key) => key !== ""),
    )
    .refine(
      (keys) => keys.every((key) => key.length >= 32),
      "keys of at least 32 characters each, separated by commas, newest first",
    )
    .transform((keys) => (keys.length === 0 ? undefined : keys)),
  default: "",
  defaultAs: "made once and kept in DATA_DIR; required in production",
  about: "What cookies are signed with, newest first",
  isSecret: true,
};

const D = DEFAULT_DOMAIN_LIMITS;

const issuer: Variable<string | undefined> = {
  schema: z
    .string()
    .default("")
    .transform((value) => (value.trim() === "" ? undefined : value.trim()))
    .refine(
      (value) => value === undefined || (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)),
      "an address such as https://accounts.example",
    ),
  default: "",
  defaultAs: "a stand-in of development; none in production",
  about: "The OpenID Connect provider that signs people in",
};

const secret = (about: string): Variable<string | undefined> => ({ ...text(about), isSecret: true });

const trustProxy: Variable<number | "all"> = {
  schema: z
    .string()
    .default("false")
    .transform((value) => value.trim().toLowerCase() || "false")
    .refine((value) => /^(?:true|false|\d{1,2})$/.test(value), "true, false or the number of proxies")
    .transform((value) => (value === "true" ? "all" : value === "false" ? 0 : Number(value))),
  default: "false",
  about: "How many proxies stand before the site, whose word on a visitor's address counts; true believes any",
};

/** @param prefixes one of which it begins with */
const paymentKey = (about: string, prefixes: readonly string[]): Variable<string | undefined> => ({
  schema: z
    .string()
    .default("")
    .transform((value) => (value.trim() === "" ? undefined : value.trim()))
    .refine(
      (value) =>
        value === undefined || prefixes.some((prefix) => value.startsWith(prefix) && value.length > prefix.length),
      `a key that begins with ${prefixes.join(" or ")}`,
    ),
  default: "",
  about,
  isSecret: true,
});

const redisUrl: Variable<string | undefined> = {
  schema: z
    .string()
    .default("")
    .transform((value) => (value.trim() === "" ? undefined : value.trim()))
    .refine(
      (value) => value === undefined || (URL.canParse(value) && /^rediss?:$/.test(new URL(value).protocol)),
      "an address such as redis://localhost:6379",
    ),
  default: "",
  about:
    "A Redis, 5.0 or newer, through which processes tell each other what happens; needed for more than one process",
  isSecret: true,
};

const metricsToken: Variable<string | undefined> = {
  schema: z
    .string()
    .default("")
    .transform((value) => (value.trim() === "" ? undefined : value.trim()))
    .refine(
      (value) => value === undefined || /^[\x21-\x7e]{16,}$/.test(value),
      "at least 16 letters, digits and signs without a space",
    ),
  default: "",
  about: "Whoever brings it as `Authorization: Bearer` reads /metrics; without it nobody does",
  isSecret: true,
};

const DEFAULT_REDIS_PREFIX = "tapedeck";
const redisPrefix: Variable<string> = {
  schema: z
    .string()
    .default(DEFAULT_REDIS_PREFIX)
    .transform((value) => (value.trim() === "" ? DEFAULT_REDIS_PREFIX : value.trim()))
    .refine((value) => /^[\w-]{1,64}$/.test(value), "letters, digits, - and _"),
  default: DEFAULT_REDIS_PREFIX,
  about: "What our names in Redis begin with; another one for each set of processes that share a Redis",
};

/** @param example an address of the kind that is meant */
const perhapsAddress = (about: string, example: string, defaultAs?: string): Variable<string | undefined> => ({
  schema: z
    .string()
    .default("")
    .transform((value) => (value.trim() === "" ? undefined : value.trim().replace(/\/+$/, "")))
    .refine(
      (value) => value === undefined || (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)),
      `an address such as ${example}`,
    ),
  default: "",
  about,
  ...(defaultAs === undefined ? {} : { defaultAs }),
});

const DEFAULT_PREFIX = "files/";
const filePrefix: Variable<string> = {
  schema: z
    .string()
    .default(DEFAULT_PREFIX)
    .transform((value) => (value.trim() === "" ? DEFAULT_PREFIX : value.trim()))
    .refine((value) => /^(?:[\w-]+\/)+$/.test(value), "letters, digits, - and _ that end in a slash, such as files/"),
  default: DEFAULT_PREFIX,
  about: "What the names of our files in the bucket begin with; what else lies there is removed, so nothing else may",
};

/** What an operator may set. Limits and times that no operator changes are in settings.ts. */
export const VARIABLES = {
  NODE_ENV: oneOf(
    "production turns off what only development has: set-up, sample site, embedded database",
    ["development", "production", "test"],
    "development",
  ),
  PORT: whole("Where the site listens", 3000, 1, 65_535),
  HOST: text("The address it listens on", "", "all"),
  PUBLIC_URL: publicUrl,
  SUPPORT_EMAIL: email("The address that visitors are told to write to", "support@ the host of PUBLIC_URL"),
  TAKEDOWN_EMAIL: email("Where holders of rights are told to write to", "SUPPORT_EMAIL"),
  DATA_DIR: text("Everything that is written: tools, embedded database, finished files", ".data"),
  MONGODB_URI: mongodbUri,
  EMBEDDED_DB: perhapsOneOf("Forces one kind of embedded database", ["mongod", "download", "java"]),
  SESSION_KEYS: sessionKeys,
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: text("Our name with that provider"),
  OIDC_CLIENT_SECRET: secret("Our secret with that provider"),
  SESSION_DAYS: whole("A browser stays signed in for this long after its last visit", 30, 1, 400),
  STRIPE_SECRET_KEY: paymentKey(
    "The payment provider's secret key; a test key in development, a live one in production",
    ["sk_test_", "sk_live_", "rk_test_", "rk_live_"],
  ),
  STRIPE_PUBLISHABLE_KEY: paymentKey("Its publishable key, of the same kind", ["pk_test_", "pk_live_"]),
  STRIPE_WEBHOOK_SECRET: paymentKey("The secret its messages are signed with", ["whsec_"]),
  PAYMENT_STAND_IN: oneOf("on starts a stand-in for the payment provider; in development only", ["off", "on"], "off"),
  GRACE_DAYS: whole("Pro is kept for so long while a payment is overdue", 3, 0, 60),
  S3_ENDPOINT: perhapsAddress(
    "S3-compatible storage for finished files; without it they are kept in DATA_DIR",
    "https://s3.eu-central-1.amazonaws.com",
  ),
  S3_REGION: text("Its region, where it has any", "us-east-1"),
  S3_BUCKET: text("The bucket there"),
  S3_ACCESS_KEY_ID: text("The key that may list, write, read and remove in it"),
  S3_SECRET_ACCESS_KEY: secret("That key's secret"),
  S3_FORCE_PATH_STYLE: oneOf("on puts the bucket into the path, off into the name of the host", ["on", "off"], "on"),
  S3_PREFIX: filePrefix,
  S3_DOWNLOADS: oneOf(
    "proxy sends files through us, presigned sends browsers to the storage with a link that ends after an hour",
    ["proxy", "presigned"],
    "proxy",
  ),
  S3_PUBLIC_ENDPOINT: perhapsAddress(
    "Where browsers reach the storage for that",
    "https://files.example",
    "S3_ENDPOINT",
  ),
  TRUST_PROXY: trustProxy,
  VIDEO_HOSTS: hosts,
  ROLE: oneOf("What this process does", ["all", "web", "worker"], "all"),
  REDIS_URL: redisUrl,
  REDIS_PREFIX: redisPrefix,
  SHARED_DISK: oneOf(
    "on says that DATA_DIR lies on a disk that all processes share, so that files need no S3-compatible storage",
    ["off", "on"],
    "off",
  ),
  WORKER_CONCURRENCY: whole(
    "Conversions at a time",
    usualConcurrency(),
    1,
    64,
    "one more than there are cores, or the number of half gigabytes of memory beyond the first if those are fewer",
  ),
  DRAIN_MS: perhapsWhole(
    "A process told to stop takes nothing new and finishes what it has for so long; then jobs go back to the queue and downloads are cut off",
    0,
    HOUR_MS,
    "25000 with ROLE=web or ROLE=worker, else 0",
  ),
  METRICS_TOKEN: metricsToken,
  LOG_LEVEL: oneOf("How much is logged", ["silent", "fatal", "error", "warn", "info", "debug", "trace"], "info"),
  YTDLP_PATH: text("The yt-dlp to use", "", "looked for, else fetched"),
  FFMPEG_PATH: text("The ffmpeg to use; ffprobe is expected beside it", "", "looked for, else fetched"),
  SAMPLE_PORT: whole("Port of the sample video site of development; 0 is a free one", 0, 0, 65_535),
  ACTIVE_JOBS_FREE: whole("Conversions a free visitor may have waiting or running", D.activeJobs.free, 1, 10_000),
  ACTIVE_JOBS_PRO: whole("The same for Pro", D.activeJobs.pro, 1, 10_000),
  CREATE_PER_MINUTE: whole(
    "Conversions a minute of one device or user; one address has three times, Pro six times as many",
    DEFAULT_CREATE_PER_MINUTE,
    1,
    10_000,
  ),
} as const satisfies Record<string, Variable>;

export type VariableName = keyof typeof VARIABLES;
export type Environment = { readonly [K in VariableName]: z.output<(typeof VARIABLES)[K]["schema"]> };

/** The default as a reader of the table should see it. */
export function shownDefault(variable: { default: string; defaultAs?: string }): string {
  return variable.defaultAs ?? variable.default;
}

/** The text of `.env.example`. */
export function renderEnvExample(): string {
  const lines = ["# Every variable with its default. Copy to .env and change what you need.", ""];
  for (const [name, variable] of Object.entries<Variable>(VARIABLES)) {
    const note = variable.defaultAs === undefined ? "" : ` (default: ${variable.defaultAs})`;
    lines.push(
      `# ${variable.about}${note}`,
      variable.defaultAs === undefined ? `${name}=${variable.default}` : `# ${name}=`,
      "",
    );
  }
  return lines.join("\n");
}

/** The rows of the table in backend/README.md. */
export function renderReadmeRows(): string[] {
  return Object.entries<Variable>(VARIABLES).map(([name, variable]) => {
    const fallback = shownDefault(variable);
    return `| \`${name}\` | ${fallback === "" ? "none" : variable.defaultAs === undefined ? `\`${fallback}\`` : fallback} | ${variable.about} |`;
  });
}
