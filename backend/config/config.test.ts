import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { withRows } from "../dev/documents/rendered-rows.ts";
import { renderEnvExample, renderReadmeRows } from "../dev/documents/variables-table.ts";
import { REPOSITORY_ROOT } from "../dev/repository.ts";
import { VARIABLES, type VariableName } from "./variables.ts";
import { ConfigError, readConfig } from "./config.ts";
import { Settings, type SettingsOverrides } from "./settings.ts";
import { findWeakSettings } from "./weak-settings.ts";
import { usualConcurrency } from "./usual-concurrency.ts";
import { DEFAULT_DOMAIN_LIMITS } from "../domain/limits.ts";
import { DEFAULT_PIPELINE_LIMITS } from "../pipeline/limits.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const KEYS = "a-key-of-more-than-thirty-two-characters";

function errorOf(source: Record<string, string>, settings: SettingsOverrides = {}): string {
  try {
    readConfig(source, settings);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return "none";
}

/** Wrong values of each variable that does not accept every text; whole numbers have their own below. */
const WRONG: Partial<Record<VariableName, string[]>> = {
  NODE_ENV: ["prod", "Production"],
  PORT: ["0", "65536", "-1", "3000.5", "3e3", "http", "0x1F", "30 00", "3000\nPATH=x"],
  PUBLIC_URL: [
    "tapedeck.example",
    "ftp://tapedeck.example",
    "https://",
    "javascript:alert(1)",
    "https://tapedeck.example/tapes",
    "https://tapedeck.example/?x",
    "https://me:pass@tapedeck.example",
  ],
  SUPPORT_EMAIL: ["support", "support@localhost", "<b>@deck.example"],
  TAKEDOWN_EMAIL: ["@deck.example"],
  SMTP_URL: [
    "mail.example:465",
    "https://mail.example",
    "smtps://me:pass/word@mail.example",
    "smtps://me@mail.example",
  ],
  MONGODB_URI: ["localhost:27017", "postgres://localhost/x", "mongodb://"],
  EMBEDDED_DB: ["postgres", "Java"],
  SESSION_KEYS: ["short", `${KEYS},short`],
  STRIPE_SECRET_KEY: ["pk_test_1", "sk_test_", "secret"],
  STRIPE_PUBLISHABLE_KEY: ["sk_test_1"],
  STRIPE_WEBHOOK_SECRET: ["secret"],
  PAYMENT_STAND_IN: ["yes"],
  S3_ENDPOINT: ["s3.example", "ftp://s3.example"],
  S3_PUBLIC_ENDPOINT: ["files.example"],
  S3_FORCE_PATH_STYLE: ["yes"],
  S3_PREFIX: ["files", "/", "/files/", "../", "a b/"],
  S3_DOWNLOADS: ["redirect"],
  YOUTUBE_CANARY_LINKS: ["cats", "https://youtu.be/aqz", "https://youtu.be/aqz-KE-bpKQ,cats"],
  VIDEO_HOSTS: [",", "https://youtube.com", "youtube.com,two words", "youtube.com:99999"],
  YOUTUBE_CLIENTS: ["Vision OS", "visionos;;default", "web|tv"],
  YOUTUBE_EXITS: ["proxy", "socks5://proxy:1080", "http://one:1,", "direct;direct"],
  YOUTUBE_TOKEN_PROVIDER: [
    "127.0.0.1:4416",
    "http://127.0.0.1",
    "http://provider:4416",
    "http://10.0.0.7:4416",
    "http://127.0.0.1.example:4416",
    "http://127.0.0.1:4416@provider.example:80/",
    "https://127.0.0.1:4416",
    "http://127.0.0.1:99999",
  ],
  YOUTUBE_EXTRACTOR_PACKAGES: ["a package", "-r file", "name==1"],
  ROLE: ["boss"],
  REDIS_URL: ["localhost:6379", "http://localhost:6379", "redis"],
  REDIS_PREFIX: ["a b", "a:b", "x".repeat(65)],
  SHARED_DISK: ["yes"],
  METRICS_TOKEN: ["short", "with a space in it, which no header takes"],
  OTEL_EXPORTER_OTLP_ENDPOINT: ["localhost:4318", "grpc://localhost:4317", "collector"],
  WORKER_CONCURRENCY: ["0", "65", "many"],
  LOG_LEVEL: ["loud"],
  TOOL_SANDBOX: ["on", "Required"],
  CREATE_PER_MINUTE: ["0", "10001", "20/min"],
};
const FREE_TEXT: ReadonlySet<VariableName> = new Set([
  "YOUTUBE_COOKIES_FILE",
  "YOUTUBE_PLUGINS_FOLDER",
  "HOST",
  "S3_REGION",
  "DATA_DIR",
  "YTDLP_PATH",
  "FFMPEG_PATH",
]);
const NAMES = Object.keys(VARIABLES) as VariableName[];

describe("a wrong variable", () => {
  it.each(
    NAMES.filter((name) => !FREE_TEXT.has(name)).flatMap((name) =>
      (WRONG[name] ?? ["-1", "1.5", "soon"]).map((value) => [name, value] as const),
    ),
  )("%s=%j is rejected in one line that names the variable and what it must be", (name, value) => {
    const message = errorOf({ [name]: value });
    expect(message).toMatch(new RegExp(`^${name} must be .{5,}$`));
  });

  it("is quoted in the error, except for secrets", () => {
    expect(errorOf({ PORT: "http" })).toBe('PORT must be a whole number from 1 to 65535, but is "http"');
    expect(errorOf({ SESSION_KEYS: "my-secret" })).not.toContain("my-secret");
    expect(errorOf({ MONGODB_URI: "me:my-secret@host" })).not.toContain("my-secret");
    expect(errorOf({ SMTP_URL: "smtps://me:my-secret/@host" })).not.toContain("my-secret");
  });

  it("is rejected in production also when it is missing", () => {
    const production = { NODE_ENV: "production", MONGODB_URI: "mongodb://db/tapedeck", SESSION_KEYS: KEYS };
    expect(errorOf(production)).toBe("none");
    expect(errorOf({ ...production, MONGODB_URI: "" })).toMatch(/^MONGODB_URI must be set in production/);
    expect(errorOf({ ...production, SESSION_KEYS: "" })).toBe("none");
    const several = { ...production, REDIS_URL: "redis://redis:6379" };
    expect(errorOf({ ...several, SESSION_KEYS: "" })).toMatch(/^SESSION_KEYS must be set with REDIS_URL/);
    const shared = { REDIS_URL: "redis://redis:6379", SHARED_DISK: "on" };
    expect(errorOf({ ...production, ...shared, ROLE: "worker", SESSION_KEYS: "" })).toBe("none");
    expect(errorOf({ ...production, ...shared, ROLE: "web", SESSION_KEYS: "" })).toMatch(/^SESSION_KEYS must be set/);
  });
});

describe("contact addresses", () => {
  const contactsOf = (source: Record<string, string>) => {
    const { supportEmail, takedownEmail } = readConfig(source).contacts;
    return [supportEmail, takedownEmail];
  };

  it("are those that the operator sets; one may serve for both", () => {
    expect(contactsOf({ SUPPORT_EMAIL: "help@deck.example", TAKEDOWN_EMAIL: "rights@deck.example" })).toEqual([
      "help@deck.example",
      "rights@deck.example",
    ]);
    expect(contactsOf({ SUPPORT_EMAIL: "help@deck.example" })).toEqual(["help@deck.example", "help@deck.example"]);
  });

  it("default to the domain of PUBLIC_URL if it has one", () => {
    expect(contactsOf({ PUBLIC_URL: "https://www.deck.example" })).toEqual([
      "support@deck.example",
      "support@deck.example",
    ]);
    for (const url of ["http://localhost:3000", "http://127.0.0.1", "http://[::1]:3000", ""])
      expect(contactsOf({ PUBLIC_URL: url })).toEqual(["support@tapedeck.example", "takedown@tapedeck.example"]);
  });
});

describe("a mail server", () => {
  const SMTP_URL = "smtps://me:my-secret@mail.example";
  const read = (source: Record<string, string>) => {
    const { mail, contacts } = readConfig(source);
    return { from: mail?.from, to: mail?.to, hasForm: contacts.hasForm };
  };

  it("gives the contact page a form, whose messages go to SUPPORT_EMAIL", () => {
    expect(read({})).toEqual({ hasForm: false });
    const support = { from: "help@deck.example", to: "help@deck.example", hasForm: true };
    expect(read({ SMTP_URL, SUPPORT_EMAIL: "help@deck.example" })).toEqual(support);
    const ofDomain = { from: "support@deck.example", to: "support@deck.example", hasForm: true };
    expect(read({ SMTP_URL, PUBLIC_URL: "https://deck.example" })).toEqual(ofDomain);
  });

  it("gets mails from the address that logs in", () => {
    expect(
      read({ SMTP_URL: "smtps://site%40deck.example:my-secret@mail.example", SUPPORT_EMAIL: "help@deck.example" }),
    ).toEqual({
      from: "site@deck.example",
      to: "help@deck.example",
      hasForm: true,
    });
  });

  it("is rejected without an address that somebody reads", () => {
    expect(errorOf({ SMTP_URL })).toMatch(/^SUPPORT_EMAIL must be set with SMTP_URL: .+$/);
    expect(errorOf({ SMTP_URL, PUBLIC_URL: "http://127.0.0.1:3000" })).toMatch(/^SUPPORT_EMAIL must be set/);
  });
});

describe("the keys of the payment provider", () => {
  const keys = (kind: string) => ({
    STRIPE_SECRET_KEY: `sk_${kind}_secret-one`,
    STRIPE_PUBLISHABLE_KEY: `pk_${kind}_1`,
    STRIPE_WEBHOOK_SECRET: "whsec_secret-two",
  });
  const production = { NODE_ENV: "production", MONGODB_URI: "mongodb://db/tapedeck", SESSION_KEYS: KEYS };

  it("must be set together or not at all", () => {
    expect(readConfig({}).payment).toBeNull();
    expect(readConfig(keys("test")).payment).toMatchObject({
      publishableKey: "pk_test_1",
      apiAddress: "https://api.stripe.com",
    });
    for (const name of Object.keys(keys("test"))) {
      expect(errorOf({ ...keys("test"), [name]: "" })).toMatch(/^STRIPE_\w+ must be set together with the others/);
      expect(errorOf({ [name]: keys("test")[name as keyof ReturnType<typeof keys>] })).toMatch(
        new RegExp(`^${name} must be set together with the others`),
      );
    }
  });

  it("must be test keys in development and live keys in production", () => {
    expect(errorOf({ ...production, ...keys("live") })).toBe("none");
    expect(errorOf({ ...production, ...keys("test") })).toMatch(/^STRIPE_SECRET_KEY must be a live key in production/);
    expect(errorOf({ ...production, ...keys("live"), STRIPE_PUBLISHABLE_KEY: "pk_test_1" })).toMatch(
      /^STRIPE_PUBLISHABLE_KEY must be a live key/,
    );
    expect(errorOf(keys("live"))).toMatch(/^STRIPE_SECRET_KEY must be a test key outside production/);
    expect(errorOf({ ...keys("live"), NODE_ENV: "test" })).not.toContain("secret-one");
  });

  it("are only sent over TLS in production", () => {
    const sentTo = (apiAddress: string) => errorOf({ ...production, ...keys("live") }, { payment: { apiAddress } });
    expect(sentTo("http://localhost:4000")).toMatch(/payment\.apiAddress must be an https address in production/);
    expect(sentTo("https://payments.example")).toBe("none");
  });

  it("are not used by the stand-in, which production rejects", () => {
    expect(readConfig({ PAYMENT_STAND_IN: "on" }).payment).toBeNull();
    expect(errorOf({ ...production, PAYMENT_STAND_IN: "on" })).toMatch(/^PAYMENT_STAND_IN must be off in production/);
    expect(errorOf({ ...keys("test"), PAYMENT_STAND_IN: "on" })).toMatch(
      /^PAYMENT_STAND_IN must be off when STRIPE_SECRET_KEY is set/,
    );
  });
});

describe("a process that is one of several", () => {
  const shared = {
    REDIS_URL: "redis://redis:6379",
    MONGODB_URI: "mongodb://db/tapedeck",
    SESSION_KEYS: KEYS,
    SHARED_DISK: "on",
  };

  it.each(["web", "worker"])("with ROLE=%s needs the shared services, and names a missing one", (role) => {
    const config = readConfig({ ...shared, ROLE: role });
    expect(config.env.ROLE).toBe(role);
    expect(config.drainMs).toBeGreaterThan(10_000);
    expect(errorOf({ ...shared, ROLE: role, REDIS_URL: "" })).toMatch(
      new RegExp(`^REDIS_URL must be set with ROLE=${role}: `),
    );
    expect(errorOf({ ...shared, ROLE: role, MONGODB_URI: "" })).toMatch(
      new RegExp(`^MONGODB_URI must be set with ROLE=${role}: `),
    );
    expect(errorOf({ ...shared, ROLE: role, SHARED_DISK: "off" })).toMatch(
      new RegExp(`^S3_ENDPOINT must be set with ROLE=${role}, .*or SHARED_DISK=on`),
    );
    expect(errorOf({ ...shared, ROLE: role, SESSION_KEYS: "" })).toMatch(
      role === "web" ? /^SESSION_KEYS must be set with ROLE=web: / : /^none$/,
    );
    const s3 = {
      S3_ENDPOINT: "http://minio:9000/",
      S3_BUCKET: "files",
      S3_ACCESS_KEY_ID: "us",
      S3_SECRET_ACCESS_KEY: "our-secret",
    };
    expect(errorOf({ ...shared, ROLE: role, SHARED_DISK: "off", ...s3 })).toBe("none");
  });

  it("has a drain time; a single process has none by default", () => {
    expect(readConfig({}).drainMs).toBe(0);
    expect(readConfig({ ...shared, ROLE: "worker", DRAIN_MS: "100" }).drainMs).toBe(100);
  });
});

it("limits conversions at the same time by cores and memory, with at least one", () => {
  const GIB = 2 ** 30;
  expect([
    usualConcurrency(2, 24 * GIB),
    usualConcurrency(32, 4 * GIB),
    usualConcurrency(4, 0.4 * GIB),
    usualConcurrency(256, 1_024 * GIB),
  ]).toEqual([3, 7, 1, 64]);
});

describe("S3-compatible storage", () => {
  const storage = {
    S3_ENDPOINT: "http://minio:9000/",
    S3_BUCKET: "files",
    S3_ACCESS_KEY_ID: "us",
    S3_SECRET_ACCESS_KEY: "our-secret",
  };

  it("is used when all its variables are set", () => {
    expect(readConfig({}).s3).toBeNull();
    expect(readConfig(storage).s3).toEqual({
      endpoint: "http://minio:9000",
      publicEndpoint: "http://minio:9000",
      bucket: "files",
      accessKeyId: "us",
      secretAccessKey: "our-secret",
      region: "us-east-1",
      prefix: "files/",
      forcePathStyle: true,
      downloads: "proxy",
      timeoutMs: 15_000,
    });
    expect(
      readConfig({ ...storage, S3_PUBLIC_ENDPOINT: "https://files.example", S3_DOWNLOADS: "presigned" }).s3,
    ).toMatchObject({ publicEndpoint: "https://files.example", downloads: "presigned" });
  });

  it("is rejected with only some of its variables, naming the missing ones and no secret", () => {
    for (const [name, value] of Object.entries(storage)) {
      expect(errorOf({ ...storage, [name]: "" })).toMatch(
        new RegExp(`^S3_\\w+ must be set together with ${name}, or not at all`),
      );
      expect(errorOf({ [name]: value })).toMatch(new RegExp(`^${name} must be set together with S3_`));
      expect(errorOf({ ...storage, [name]: "" })).not.toContain("our-secret");
    }
    expect(errorOf({ S3_DOWNLOADS: "presigned" })).toMatch(/^S3_DOWNLOADS must be proxy without/);
  });

  it("rejects presigned links without TLS for a site with TLS", () => {
    const secure = { ...storage, S3_DOWNLOADS: "presigned", PUBLIC_URL: "https://tapedeck.example" };
    expect(errorOf(secure)).toMatch(/^S3_PUBLIC_ENDPOINT must be an https address/);
    expect(errorOf({ ...secure, S3_PUBLIC_ENDPOINT: "https://files.example" })).toBe("none");
    expect(errorOf({ ...secure, S3_DOWNLOADS: "proxy" })).toBe("none");
  });
});

describe("without configuration", () => {
  it.each([
    {},
    Object.fromEntries(NAMES.map((name) => [name, " "])),
    Object.fromEntries(NAMES.map((name) => [name, VARIABLES[name].default])),
  ])("uses every default, whether the variable is unset, blank or written out (%#)", (source) => {
    const config = readConfig(source);
    expect(config).toMatchObject({
      isProduction: false,
      publicUrl: "http://localhost:3000",
      dataDir: resolve(".data"),
    });
    expect(config.settings).toEqual(Settings.parse({}));
    expect(config.settings.realtime.pushIntervalMs).toBe(200);
    expect(config.settings.worker.progressWriteMs).toBe(1_000);
    expect(config.env).toMatchObject({
      PORT: 3000,
      ROLE: "all",
      LOG_LEVEL: "info",
      VIDEO_HOSTS: [{ host: "youtube.com" }, { host: "youtu.be" }],
    });
    expect([config.env.MONGODB_URI, config.env.SESSION_KEYS, config.env.HOST, config.env.EMBEDDED_DB]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("uses the default limits of domain and pipeline", () => {
    const { settings } = readConfig({});
    expect(settings.domain).toEqual(DEFAULT_DOMAIN_LIMITS);
    expect(settings.pipeline).toEqual(DEFAULT_PIPELINE_LIMITS);
  });

  it("computes the rate limits of devices, users, addresses and tiers", () => {
    expect(readConfig({}).settings.rates).toEqual({
      createPerDevice: { free: 20, pro: 120 },
      createPerUser: { free: 20, pro: 120 },
      createPerAddress: { free: 60, pro: 360 },
      signInPerAddress: 20,
      previewPerDevice: 60,
      previewPerAddress: 180,
      fileLinkPerDevice: 30,
      fileLinkPerAddress: 90,
      feedPerAddress: 600,
      billingPerUser: 20,
      accountPerUser: 10,
      contactPerDevice: 5,
      contactPerNetwork: 30,
    });
    expect(readConfig({ CREATE_PER_MINUTE: "5" }).settings.rates).toMatchObject({
      createPerDevice: { free: 5, pro: 30 },
      createPerUser: { free: 5, pro: 30 },
      createPerAddress: { free: 15, pro: 90 },
    });
  });
});

describe("overrides of settings", () => {
  it("replace single fields of their group, also those that follow from the environment", () => {
    const { settings } = readConfig(
      { ACTIVE_JOBS_FREE: "7" },
      { domain: { leaseMs: 1_000 }, rates: { createPerDevice: { free: 4, pro: 8 } } },
    );
    expect(settings.domain).toMatchObject({ leaseMs: 1_000, maxAttempts: 3, activeJobs: { free: 7, pro: 40 } });
    expect(settings.rates).toMatchObject({
      createPerDevice: { free: 4, pro: 8 },
      createPerUser: { free: 20, pro: 120 },
    });
  });

  it.each<[string, SettingsOverrides]>([
    ["domain.maxAttempts", { domain: { maxAttempts: 0 } }],
    ["domain.maxAttempts", { domain: { maxAttempts: 11 } }],
    ["domain.leaseMs", { domain: { leaseMs: 999 } }],
    ["domain.leaseMs", { domain: { leaseMs: 1_000.5 } }],
    ["domain.usageLogMs", { domain: { usageLogMs: 31 * DAY_MS } }],
    ["pipeline.maxFragments", { pipeline: { maxFragments: 0 } }],
    ["shutdown.timeoutMs", { shutdown: { timeoutMs: 0 } }],
    ["payment.apiAddress", { payment: { apiAddress: "api.stripe.com" } }],
    ["payment.apiAddress", { payment: { apiAddress: "ftp://api.stripe.com" } }],
    ["worker", { worker: { unheardOf: 1 } as SettingsOverrides["worker"] }],
  ])("are rejected outside the bounds of %s: %j", (path, settings) => {
    expect(errorOf({}, settings)).toMatch(new RegExp(`^the setting ${path} is refused: .{5,}$`));
  });

  it("cannot be set by environment variables", () => {
    const source = {
      LEASE_MS: "1000",
      MAX_ATTEMPTS: "1",
      PUSH_INTERVAL_MS: "0",
      SETTINGS: '{"domain":{"leaseMs":1000}}',
    };
    expect(readConfig(source).settings).toEqual(Settings.parse({}));
  });
});

it("converts values to their units", () => {
  const config = readConfig({
    PORT: "8080",
    PUBLIC_URL: " https://tapedeck.example ",
    DATA_DIR: "/srv/tapedeck",
    SESSION_KEYS: `${KEYS}, ${KEYS}2`,
    VIDEO_HOSTS: "localhost:8090",
    YOUTUBE_CANARY_LINKS: "https://youtu.be/aqz-KE-bpKQ?si=x, http://localhost:8090/watch/rain",
    SESSION_DAYS: "2",
    GRACE_DAYS: "1",
    ACTIVE_JOBS_FREE: "7",
  });
  expect(config).toMatchObject({ publicUrl: "https://tapedeck.example", dataDir: "/srv/tapedeck" });
  expect(config.env.SESSION_KEYS).toEqual([KEYS, `${KEYS}2`]);
  expect(config.env.VIDEO_HOSTS).toEqual([{ host: "localhost", port: 8090 }]);
  expect(config.env.YOUTUBE_CANARY_LINKS).toEqual([
    "https://www.youtube.com/watch?v=aqz-KE-bpKQ",
    "http://localhost:8090/watch/rain",
  ]);
  expect(config).toMatchObject({ sessionMs: 172_800_000, graceMs: 86_400_000 });
  expect(config.settings.domain.activeJobs).toEqual({ free: 7, pro: 40 });
});

it("uses the local address and port without PUBLIC_URL", () => {
  expect(readConfig({ PORT: "8080" }).publicUrl).toBe("http://localhost:8080");
});

describe("the documentation of the variables", () => {
  it("renders .env.example from the list of variables", async () => {
    await expect(renderEnvExample()).toMatchFileSnapshot(join(REPOSITORY_ROOT, ".env.example"));
  });

  it("describes the defaults: reading .env.example changes nothing", () => {
    const lines = renderEnvExample()
      .split("\n")
      .filter((line) => /^[A-Z]/.test(line))
      .map((line) => line.split("="));
    expect(readConfig(Object.fromEntries(lines))).toEqual(readConfig({}));
  });

  it("renders the rows of the README from the list of variables", async () => {
    const { path, text } = await withRows("backend/README.md", /^\| `[A-Z][A-Z0-9_]+` \|/, renderReadmeRows());
    await expect(text).toMatchFileSnapshot(path);
  });

  it("lists at most 45 variables, without those for YouTube and those whose names OpenTelemetry has chosen", () => {
    expect(NAMES.filter((name) => !/^(?:YOUTUBE|OTEL)_/.test(name)).length).toBeLessThanOrEqual(45);
  });
});

const PRODUCTION = {
  NODE_ENV: "production",
  MONGODB_URI: "mongodb://db.example/tapedeck",
  SESSION_KEYS: "k".repeat(32),
  SUPPORT_EMAIL: "help@tapedeck.example",
};

it("ends sessions 90 days after the sign-in, or after SESSION_DAYS if those are more", () => {
  const ageOf = (days: string) => readConfig({ SESSION_DAYS: days }).settings.domain.sessionAgeMs / DAY_MS;
  expect(["1", "90", "91", "400"].map(ageOf)).toEqual([90, 90, 91, 400]);
});

it("listens on loopback only, except in production or when HOST says otherwise", () => {
  expect(readConfig({}).host).toBe("127.0.0.1");
  expect(readConfig({ NODE_ENV: "test" }).host).toBe("127.0.0.1");
  expect(readConfig({ HOST: "0.0.0.0" }).host).toBe("0.0.0.0");
  expect(readConfig(PRODUCTION).host).toBeUndefined();
  expect(readConfig({ ...PRODUCTION, HOST: "10.0.0.1" }).host).toBe("10.0.0.1");
});

it("warns in production of cookies without https and of a missing address", () => {
  expect(findWeakSettings(readConfig({}))).toEqual([]);
  expect(findWeakSettings(readConfig({ ...PRODUCTION, PUBLIC_URL: "https://tapedeck.example" }))).toEqual([]);
  for (const PUBLIC_URL of ["http://tapedeck.example", undefined])
    expect(findWeakSettings(readConfig({ ...PRODUCTION, PUBLIC_URL }))).toEqual([
      expect.stringMatching(/^PUBLIC_URL is http:.*cookies are weak/),
    ]);
  const { SUPPORT_EMAIL: _unset, ...withoutAddress } = { ...PRODUCTION, PUBLIC_URL: "https://tapedeck.example" };
  expect(findWeakSettings(readConfig(withoutAddress))).toEqual([expect.stringContaining("SUPPORT_EMAIL")]);
});

it("detects a dead worker within 30 s, the sum of lease and sweep interval", () => {
  const { domain, worker } = readConfig({}).settings;
  expect(domain.leaseMs + worker.sweepMs).toBeLessThanOrEqual(30_000);
});
