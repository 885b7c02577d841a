/** Every environment variable of the server. Limits and times that no operator changes are in settings.ts. */
import { z } from "zod";
import { HOUR_MS } from "../../common/durations.ts";
import { DEFAULT_VIDEO_HOSTS, parseHostList } from "../../common/hosts.ts";
import { readLinks } from "../../common/links/read-links.ts";
import { parseRelease, type Release } from "../extractor/releases.ts";
import { parseSmtpAddress, type SmtpAddress } from "../mail/smtp-address.ts";
import { type Exit, parseExit } from "../pipeline/exits/exit.ts";
import { DEFAULT_DOMAIN_LIMITS } from "../domain/limits.ts";
import { DEFAULT_CREATE_PER_MINUTE } from "../http/middleware/rate-limits.ts";
import { usualConcurrency } from "./usual-concurrency.ts";
import {
  address,
  email,
  oneOf,
  optionalOneOf,
  optionalText,
  optionalWhole,
  secret,
  secretKey,
  text,
  textWithDefault,
  whole,
  type Variable,
} from "./variable-kinds.ts";

const HTTP = /^https?:$/;
const { activeJobs } = DEFAULT_DOMAIN_LIMITS;

const DEFAULT_YOUTUBE_CLIENTS = "visionos;default";
const youtubeClients: Variable<readonly string[]> = {
  schema: z
    .string()
    .default("")
    .transform((value) =>
      (value.trim() === "" ? DEFAULT_YOUTUBE_CLIENTS : value).split(";").map((names) => names.trim()),
    )
    .refine(
      (clients) => clients.every((names) => /^-?[a-z_]+(?:,-?[a-z_]+)*$/.test(names)),
      "names of clients such as visionos;default",
    ),
  default: DEFAULT_YOUTUBE_CLIENTS,
  about: "Player clients that yt-dlp uses at YouTube, first choice first; the next is asked when one is refused",
};

const youtubeExits: Variable<readonly Exit[]> = {
  schema: z
    .string()
    .default("")
    .transform((value, context) => {
      try {
        return (value.trim() === "" ? "direct" : value).split(",").map((exit) => parseExit(exit.trim()));
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        const message = "proxies such as http://proxy:3128, addresses of this machine, or direct, separated by commas";
        context.addIssue({ code: "custom", message });
        return z.NEVER;
      }
    }),
  default: "direct",
  about: "Exits to YouTube: proxies, addresses of this machine, or direct. An exit that YouTube refuses is paused",
  isSecret: true,
};

const youtubeExtractorRelease: Variable<Release> = {
  schema: z
    .string()
    .default("")
    .transform((value, context) => {
      try {
        return parseRelease(value.trim() === "" ? "stable" : value);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        context.addIssue({ code: "custom", message: "stable, nightly, off, or a version such as pinned 2026.8.19" });
        return z.NEVER;
      }
    }),
  default: "stable",
  about:
    "The yt-dlp that is installed while the server runs: stable, nightly, pinned VERSION, or off. " +
    "One given by YTDLP_PATH is never renewed",
};

const youtubeExtractorPackages: Variable<readonly string[]> = {
  schema: z
    .string()
    .default("")
    .transform((value) => value.split(",").flatMap((name) => name.trim() || []))
    .refine(
      (names) => names.every((name) => /^[a-z0-9](?:[\w.-]*[a-z0-9])?$/i.test(name)),
      "names of Python packages, separated by commas",
    ),
  default: "",
  about: "Python packages that a new yt-dlp may bring beside those of the first one",
};

const youtubeTokenProvider: Variable<string | undefined> = optionalText(
  "Address on this machine of a bgutil server, which makes proof-of-origin tokens for YouTube",
  (value) => /^http:\/\/(?:127(?:\.\d{1,3}){3}|localhost|\[::1\]):\d+\/?$/.test(value) && URL.canParse(value),
  "an address on this machine such as http://127.0.0.1:4416: whoever reaches a token provider can make it run code",
);

const youtubeCanaryLinks: Variable<readonly string[]> = {
  schema: z
    .string()
    .default("")
    .transform((value, context) => {
      const { links, refusals } = readLinks(value, () => true);
      const count = value.split(",").filter((part) => part.trim() !== "").length;
      if (links.length === count && refusals.length === 0) return links.map(({ url }) => url);
      const message = "links such as https://www.youtube.com/watch?v=aqz-KE-bpKQ, separated by commas";
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    }),
  default: "",
  about: "Links of public videos that a new yt-dlp must be able to read before it is used",
};

const smtpUrl: Variable<SmtpAddress | undefined> = {
  schema: z
    .string()
    .default("")
    .transform((value, context) => {
      try {
        return value.trim() === "" ? undefined : parseSmtpAddress(value.trim());
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        const message =
          "an address such as smtps://name:password@mail.example:465 or smtp://mail.example:587, " +
          "with special characters of name and password percent-encoded";
        context.addIssue({ code: "custom", message });
        return z.NEVER;
      }
    }),
  default: "",
  defaultAs: "none: the contact page has no form",
  about:
    "Mail server that takes the messages of the contact form, for SUPPORT_EMAIL; smtps:// or smtp:// with STARTTLS. " +
    "They come from its user name if that is an address, else from SUPPORT_EMAIL",
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
  defaultAs: "created once and kept in DATA_DIR; required with REDIS_URL in production, apart from workers",
  about: "Keys that sign cookies, newest first",
  isSecret: true,
};

const trustProxy: Variable<number | "all"> = {
  schema: z
    .string()
    .default("false")
    .transform((value) => value.trim().toLowerCase() || "false")
    .refine((value) => /^(?:true|false|\d{1,2})$/.test(value), "true, false or the number of proxies")
    .transform((value) => (value === "true" ? "all" : value === "false" ? 0 : Number(value))),
  default: "false",
  about: "Number of proxies in front of the site whose X-Forwarded-For header is trusted; true trusts any number",
};

const videoHosts: Variable<ReturnType<typeof parseHostList>> = {
  schema: z
    .string()
    .default(DEFAULT_VIDEO_HOSTS)
    .transform((value, context) => {
      try {
        const list = parseHostList(value.trim() === "" ? DEFAULT_VIDEO_HOSTS : value);
        if (list.length > 0) return list;
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
      }
      context.addIssue({
        code: "custom",
        message: "hosts separated by commas, such as youtube.com,localhost:8090, or any",
      });
      return z.NEVER;
    }),
  default: DEFAULT_VIDEO_HOSTS,
  about:
    "Hosts whose links are accepted, with their subdomains; `any` stands for every public host. " +
    "A private address may be contacted only if the address itself, or localhost, is listed here with its port",
};

const publicUrl: Variable<string | undefined> = optionalText(
  "Address where visitors reach the site; https in production, because other cookies can be read on their way",
  isSiteAddress,
  "an address without a path such as https://tapedeck.example: the site has a host name, or a port, of its own",
  { defaultAs: "http://localhost:PORT" },
);

/** Whether a text is scheme and host, with or without a port, and nothing else. */
function isSiteAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { href, origin, protocol } = new URL(value);
  return HTTP.test(protocol) && href === `${origin}/`;
}

/** An address of S3-compatible storage, without slashes at its end. */
function storageAddress(about: string, example: string, defaultAs?: string): Variable<string | undefined> {
  const variable = address(about, HTTP, example, { defaultAs });
  return { ...variable, schema: variable.schema.transform((value) => value?.replace(/\/+$/, "")) };
}

export const VARIABLES = {
  NODE_ENV: oneOf(
    "production turns off what only development needs: set-up, sample site, embedded database",
    ["development", "production", "test"],
    "development",
  ),
  PORT: whole("Port of the site", 3000, 1, 65_535),
  HOST: text("Address that the site listens on; 0.0.0.0 is all", "", "all in production, else 127.0.0.1"),
  PUBLIC_URL: publicUrl,
  SUPPORT_EMAIL: email("Address for visitors, shown on the pages", "support@ the host of PUBLIC_URL"),
  TAKEDOWN_EMAIL: email("Address for holders of rights, shown on the pages", "SUPPORT_EMAIL"),
  SMTP_URL: smtpUrl,
  DATA_DIR: text("Folder of everything that is written: tools, embedded database, finished files", ".data"),
  MONGODB_URI: optionalText(
    "Address of a MongoDB",
    (value) => /^mongodb(?:\+srv)?:\/\/[^/]/.test(value),
    "an address such as mongodb://localhost:27017/tapedeck",
    { defaultAs: "an embedded one; required in production", isSecret: true },
  ),
  EMBEDDED_DB: optionalOneOf("Forces one kind of embedded database", ["mongod", "download", "java"]),
  SESSION_KEYS: sessionKeys,
  OIDC_ISSUER: address("OpenID Connect provider for sign-in", HTTP, "https://accounts.example", {
    defaultAs: "a stand-in in development; none in production",
  }),
  OIDC_CLIENT_ID: text("Client id at that provider"),
  OIDC_CLIENT_SECRET: secret("Client secret at that provider"),
  SESSION_DAYS: whole(
    "Days that a browser stays signed in after its last visit, and 90 or these days at most after its sign-in",
    30,
    1,
    400,
  ),
  STRIPE_SECRET_KEY: secretKey(
    "The payment provider's secret key; a test key in development, a live one in production",
    ["sk_test_", "sk_live_", "rk_test_", "rk_live_"],
  ),
  STRIPE_PUBLISHABLE_KEY: secretKey("Its publishable key, of the same kind", ["pk_test_", "pk_live_"]),
  STRIPE_WEBHOOK_SECRET: secretKey("Secret that signs its webhook messages", ["whsec_"]),
  PAYMENT_STAND_IN: oneOf("on starts a stand-in for the payment provider; in development only", ["off", "on"], "off"),
  GRACE_DAYS: whole("Days that Pro is kept while a payment is overdue", 3, 0, 60),
  S3_ENDPOINT: storageAddress(
    "S3-compatible storage for finished files; without it they are kept in DATA_DIR",
    "https://s3.eu-central-1.amazonaws.com",
  ),
  S3_REGION: text("Region of the storage, if it has any", "us-east-1"),
  S3_BUCKET: text("Bucket for the files"),
  S3_ACCESS_KEY_ID: text("Key that may list, write, read and delete in the bucket"),
  S3_SECRET_ACCESS_KEY: secret("Secret of that key"),
  S3_FORCE_PATH_STYLE: oneOf("on puts the bucket into the path, off into the name of the host", ["on", "off"], "on"),
  S3_PREFIX: textWithDefault(
    "Prefix of our files in the bucket; everything else below it is deleted",
    "files/",
    (value) => /^(?:[\w-]+\/)+$/.test(value),
    "letters, digits, - and _ that end in a slash, such as files/",
  ),
  S3_DOWNLOADS: oneOf(
    "proxy sends downloads through the server, presigned redirects browsers to the storage with a link for one hour",
    ["proxy", "presigned"],
    "proxy",
  ),
  S3_PUBLIC_ENDPOINT: storageAddress(
    "Address where browsers reach the storage, for presigned downloads",
    "https://files.example",
    "S3_ENDPOINT",
  ),
  TRUST_PROXY: trustProxy,
  VIDEO_HOSTS: videoHosts,
  YOUTUBE_CLIENTS: youtubeClients,
  YOUTUBE_EXITS: youtubeExits,
  YOUTUBE_EXTRACTIONS_PER_HOUR: optionalWhole(
    "Videos that are read through one exit in an hour; YouTube allows a guest about 300",
    1,
    100_000,
    "no bound",
  ),
  YOUTUBE_COOKIES_FILE: text(
    "File with cookies of a YouTube account, in Netscape format; used where YouTube wants a guest to sign in",
  ),
  YOUTUBE_TOKEN_PROVIDER: youtubeTokenProvider,
  YOUTUBE_PLUGINS_FOLDER: text("Folder with plugins of yt-dlp; their code runs in the sandbox of yt-dlp"),
  YOUTUBE_EXTRACTOR_RELEASE: youtubeExtractorRelease,
  YOUTUBE_EXTRACTOR_WAIT_DAYS: whole("Days that a new yt-dlp waits from when the package index offers it", 2, 0, 60),
  YOUTUBE_EXTRACTOR_PACKAGES: youtubeExtractorPackages,
  YOUTUBE_CANARY_LINKS: youtubeCanaryLinks,
  YOUTUBE_SPONSORBLOCK_URL: address(
    "Address of a SponsorBlock server, which knows the sponsored segments of YouTube videos. It gets four digits of a " +
      "code of the video, which many videos share",
    HTTP,
    "https://sponsor.ajay.app",
    { defaultAs: "none: visitors are offered nothing about sponsored segments" },
  ),
  ROLE: oneOf(
    "What this process does: serve visitors (web), convert (worker), or both",
    ["all", "web", "worker"],
    "all",
  ),
  REDIS_URL: address(
    "A Redis, 5.0 or newer, that connects several processes; needed for more than one",
    /^rediss?:$/,
    "redis://localhost:6379",
    { isSecret: true },
  ),
  REDIS_PREFIX: textWithDefault(
    "Prefix of all names in Redis; deployments that share a Redis need different ones",
    "tapedeck",
    (value) => /^[\w-]{1,64}$/.test(value),
    "letters, digits, - and _",
  ),
  SHARED_DISK: oneOf(
    "on: DATA_DIR is on a disk that all processes share, so files need no S3-compatible storage",
    ["off", "on"],
    "off",
  ),
  WORKER_CONCURRENCY: whole(
    "Conversions at the same time; of three or more a quarter, at least one, is kept for Pro",
    usualConcurrency(),
    1,
    64,
    "one more than there are cores, or the number of half gigabytes of memory beyond the first if those are fewer",
  ),
  DRAIN_MS: optionalWhole(
    "How long a stopping process may finish running jobs and downloads; the rest is requeued or cut off",
    0,
    HOUR_MS,
    "25000 with ROLE=web or ROLE=worker, else 0",
  ),
  METRICS_TOKEN: optionalText(
    "Token that gives access to /metrics, sent as `Authorization: Bearer`; without it there are no metrics",
    (value) => /^[\x21-\x7e]{16,}$/.test(value),
    "at least 16 letters, digits and signs without a space",
    { isSecret: true },
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: address(
    "Collector of OpenTelemetry that gets traces and metrics by OTLP over HTTP, as JSON, below /v1/",
    HTTP,
    "http://localhost:4318",
    { defaultAs: "none: nothing is sent" },
  ),
  LOG_LEVEL: oneOf("How much is logged", ["silent", "fatal", "error", "warn", "info", "debug", "trace"], "info"),
  YTDLP_PATH: text("The yt-dlp to use", "", "found, else downloaded"),
  FFMPEG_PATH: text("The ffmpeg to use; ffprobe is expected beside it", "", "found, else downloaded"),
  TOOL_SANDBOX: optionalOneOf(
    "Sandbox around the tools that read foreign files. A machine without it: required does not start, preferred warns",
    ["required", "preferred", "off"],
    "required in production, else preferred",
  ),
  ACTIVE_JOBS_FREE: whole(
    "Jobs that a free visitor may have queued or running; a network (/24 of IPv4, /64 of IPv6) may have 20 times as many",
    activeJobs.free,
    1,
    10_000,
  ),
  ACTIVE_JOBS_PRO: whole("Jobs that a user of Pro may have queued or running", activeJobs.pro, 1, 10_000),
  CREATE_PER_MINUTE: whole(
    "Conversions per minute of one device or user; one address has three times, Pro six times as many",
    DEFAULT_CREATE_PER_MINUTE,
    1,
    10_000,
  ),
} as const satisfies Record<string, Variable>;

export type VariableName = keyof typeof VARIABLES;
export type Environment = { readonly [K in VariableName]: z.output<(typeof VARIABLES)[K]["schema"]> };
