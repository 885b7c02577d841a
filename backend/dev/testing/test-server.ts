/**
 * A whole server for a test, in the test's process: real database, tools, sample site and sockets, on a free port,
 * with a database name and a data folder of its own.
 */
import { once } from "node:events";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import pino, { type Logger } from "pino";
import { inject } from "vitest";
import type { Tier } from "../../../common/tiers.ts";
import { parseHostEntry } from "../../../common/hosts.ts";
import { readConfig, type Config } from "../../config/config.ts";
import { createStartingServer } from "../../http/every-request/starting-server.ts";
import { CALLBACK_PATH } from "../../http/sign-in/code-flow.ts";
import { startServer } from "../../server.ts";
import { LOG_SERIALIZERS } from "../../runtime/logger.ts";
import type { IdentityProvider, PaymentStandIn, Runtime } from "../../runtime/runtime.ts";
import { createIdentityProvider } from "../stand-ins/identity-provider/identity-provider.ts";
import { loadProviderKeys, PROVIDER_KEYS_FILE } from "../stand-ins/identity-provider/keys.ts";
import type { VariableName } from "../../config/variables.ts";
import { mergeSettings, type SettingsOverrides } from "../../config/settings.ts";
import { startPaymentProvider, type PaymentProvider } from "../stand-ins/payment-provider/payment-provider.ts";
import { connectPaymentStandIn } from "../stand-ins/payment-stand-in.ts";
import { ownPort } from "../own-port.ts";
import { repositoryDataDir } from "../repository.ts";
import { PATIENT_SETTINGS } from "./patient-settings.ts";
import { startSampleSite, type SampleSite } from "../stand-ins/sample-site/sample-site.ts";
import { ageSessions, expireSessions, setTier } from "./change-accounts.ts";
import { testDatabaseUri } from "./test-connection.ts";
import { testFolder } from "./test-folder.ts";
import { openDevice, walkThroughSignIn, type TestDevice } from "./test-device.ts";

export { openDevice, walkThroughSignIn, type LiveView, type TestDevice } from "./test-device.ts";

/** Short intervals and wide limits; a test overrides those that it is about. */
const TEST_SETTINGS: SettingsOverrides = {
  ...PATIENT_SETTINGS,
  // Most tests need a file and not its conversion. On a busy machine a heartbeat may be late by seconds; a job that loses
  // its lease by that starts over.
  domain: { retryBackoffMs: 50, leaseMs: 20_000, sharesFiles: true },
  worker: { sweepMs: 500, ticketPollMs: 200, followPollMs: 200 },
  redis: { commandTimeoutMs: 60_000 },
  // All requests of a test file come from one address.
  rates: {
    createPerDevice: { free: 10_000, pro: 10_000 },
    createPerUser: { free: 10_000, pro: 10_000 },
    createPerAddress: { free: 10_000, pro: 10_000 },
    signInPerAddress: 10_000,
    previewPerDevice: 10_000,
    previewPerAddress: 10_000,
    fileLinkPerDevice: 10_000,
    fileLinkPerAddress: 10_000,
    feedPerAddress: 10_000,
    billingPerUser: 10_000,
    accountPerUser: 10_000,
    contactPerDevice: 10_000,
    contactPerNetwork: 10_000,
  },
  realtime: { socketsPerDevice: 1_000, socketsPerNetwork: 10_000, identifyMs: 60_000, pingTimeoutMs: 60_000 },
  site: { downloadsPerNetwork: 10_000 },
};
const TEST_ENVIRONMENT = {
  YOUTUBE_EXTRACTOR_RELEASE: "off",
  LOG_LEVEL: "silent",
  ACTIVE_JOBS_FREE: "1000",
  ACTIVE_JOBS_PRO: "1000",
};
const SESSION_KEYS = ["test-key-test-key-test-key-test-key"];
const WEBHOOK_RETRIES_MS = [50, 100, 200, 400];

/** Environment variables by their names, and overrides of settings. */
type TestServerOverrides = Partial<Readonly<Record<VariableName, string>>> & {
  readonly settings?: SettingsOverrides;
};

export type TestServerOptions = TestServerOverrides & {
  /** PEM file of a further certificate authority, which the tools of the server trust. */
  readonly caFile?: string;
  /**
   * False for a server that neither converts nor previews a link: it starts without yt-dlp, whose modules take most of
   * the CPU time of a start.
   */
  readonly hasExtractor?: boolean;
  /** Replaces what looks at links before they are converted. */
  readonly lookups?: Runtime["lookups"];
  /** Gets the lines of the server's log, as JSON, from LOG_LEVEL on (default: info). Without it, nothing is logged. */
  readonly onLogLine?: (line: string) => void;
};

/**
 * @param options overrides of the environment and of settings
 * @param beside another server, whose database, data folder and sample site this one shares; stop it after this one
 * @param convert replaces the pipeline, for tests that are not about converting
 */
export async function startTestServer(
  options: TestServerOptions = {},
  beside?: TestServer,
  convert?: Runtime["convert"],
): Promise<TestServer> {
  await using started = new AsyncDisposableStack();
  const { dataDir, site, mongodbUri } = beside
    ? { dataDir: beside.config.dataDir, site: beside.site, mongodbUri: beside.mongodbUri }
    : await openOwnResources(started);
  let paymentProvider: PaymentProvider | undefined;
  if (options.PAYMENT_STAND_IN === "on") {
    paymentProvider = await startPaymentProvider({
      port: 0,
      log: () => undefined,
      webhookRetryDelaysMs: WEBHOOK_RETRIES_MS,
    });
    started.defer(() => paymentProvider?.stop());
  }
  const server = new TestServer({ options, dataDir, site, mongodbUri, paymentProvider, convert }, started.move());
  try {
    await server.start();
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
  return server;
}

/** A data folder, a sample site and the name of a database that only one server uses. */
async function openOwnResources(started: AsyncDisposableStack) {
  const dataDir = await testFolder();
  await copyProviderKeys(dataDir);
  const { ffmpegPath } = inject("toolPaths");
  // The clips lie in the repository's data folder and are made once for all tests.
  const site = await startSampleSite({ dataDir: repositoryDataDir(), ffmpegPath, report: () => undefined });
  started.defer(() => site.stop());
  return { dataDir, site, mongodbUri: testDatabaseUri() };
}

/** Gives the development sign-in keys that all tests share: making some takes 0.2 s of CPU time. */
async function copyProviderKeys(dataDir: string): Promise<void> {
  const shared = join(repositoryDataDir(), "test-sign-in");
  await loadProviderKeys(shared);
  await copyFile(join(shared, PROVIDER_KEYS_FILE), join(dataDir, PROVIDER_KEYS_FILE));
}

interface TestServerParts {
  readonly options: TestServerOptions;
  readonly dataDir: string;
  readonly site: SampleSite;
  /** Address of the database, with the name of this server's own. */
  readonly mongodbUri: string;
  readonly paymentProvider: PaymentProvider | undefined;
  readonly convert: Runtime["convert"];
}

export class TestServer implements AsyncDisposable {
  readonly site: SampleSite;
  /** Address of the database, with the name of this server's own. */
  readonly mongodbUri: string;
  /** Folder of the built pages; missing unless a test makes it. */
  readonly distFolder: string;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #settings: SettingsOverrides;
  readonly #hasExtractor: boolean;
  readonly #log: Logger;
  readonly #paymentProvider: PaymentProvider | undefined;
  readonly #convert: Runtime["convert"];
  readonly #lookups: Runtime["lookups"];
  readonly #resources: AsyncDisposableStack;
  readonly #devices: TestDevice[] = [];
  #config: Config;
  /** 0 before the first start, then always the same. */
  #port = 0;
  #running: { stop(): Promise<void> } | undefined;

  /** @param resources released when this server is disposed */
  constructor(parts: TestServerParts, resources: AsyncDisposableStack) {
    const { options, dataDir, site, mongodbUri, paymentProvider, convert } = parts;
    const { settings = {}, hasExtractor = true, caFile, onLogLine, lookups, ...environment } = options;
    this.site = site;
    this.mongodbUri = mongodbUri;
    this.distFolder = join(dataDir, "no-pages");
    this.#hasExtractor = hasExtractor;
    this.#log = onLogLine
      ? pino({ level: environment.LOG_LEVEL ?? "info", serializers: LOG_SERIALIZERS }, { write: onLogLine })
      : pino({ level: "silent" });
    this.#environment = {
      ...TEST_ENVIRONMENT,
      // What stands for yt-dlp then is no Python program.
      ...(hasExtractor ? undefined : { TOOL_SANDBOX: "preferred" }),
      DATA_DIR: dataDir,
      MONGODB_URI: mongodbUri,
      SESSION_KEYS: SESSION_KEYS.join(","),
      SHARED_DISK: "on",
      ...(caFile === undefined ? {} : { NODE_EXTRA_CA_CERTS: caFile }),
      ...environment,
    };
    this.#settings = mergeSettings(TEST_SETTINGS, settings);
    this.#paymentProvider = paymentProvider;
    this.#convert = convert;
    this.#lookups = lookups;
    this.#resources = resources;
    this.#config = readConfig(this.#environment, this.#settings);
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get config(): Config {
    return this.#config;
  }

  /**
   * The payment provider of a server with PAYMENT_STAND_IN=on. It goes on when the server is stopped.
   * @throws Error without PAYMENT_STAND_IN=on
   */
  get payments(): PaymentProvider {
    if (!this.#paymentProvider) throw new Error("start the server with PAYMENT_STAND_IN=on");
    return this.#paymentProvider;
  }

  /** Starts the server; after `stop` again, on the same data and port. */
  async start({ settings = {}, ...environment }: TestServerOverrides = {}): Promise<void> {
    const listening = createStartingServer({});
    this.#port ||= await ownPort();
    listening.listen(this.#port, "127.0.0.1");
    await once(listening, "listening");
    this.#config = readConfig(
      { PUBLIC_URL: this.origin, ...this.#environment, ...environment },
      mergeSettings(this.#settings, settings),
    );
    const { ytDlpPath, ffmpegPath, ffprobePath } = inject("toolPaths");
    const runtime: Runtime = {
      // Any program that is not yt-dlp: a server loads only one that is written in Python.
      ytDlpPath: this.#hasExtractor ? ytDlpPath : process.execPath,
      ffmpegPath,
      ffprobePath,
      identityProvider: await this.#createIdentityProvider(),
      paymentStandIn: await this.#createPaymentStandIn(),
      convert: this.#convert,
      lookups: this.#lookups,
      mongodbUri: this.mongodbUri,
      sessionKeys: SESSION_KEYS,
      distFolder: this.distFolder,
      extraVideoHosts: [parseHostEntry(this.site.host)],
      sampleLinks: this.site.links,
      broken: new Promise(() => undefined),
      stop: () => Promise.resolve(),
    };
    try {
      this.#running = await startServer(listening, this.#config, runtime, this.#log);
    } catch (error) {
      listening.close();
      throw error;
    }
  }

  /** Stops the server and leaves database, files and sample site as they are. */
  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await running?.stop();
  }

  /** A browser without cookies. */
  async newDevice(): Promise<TestDevice> {
    const device = await openDevice(this.origin);
    this.#devices.push(device);
    return device;
  }

  /** Signs a browser in through the provider's real pages; its live view is then the user's. */
  async signIn(device: TestDevice, person: { email: string; firstName?: string }): Promise<void> {
    const endPath = await walkThroughSignIn(device, person);
    if (endPath !== "/") throw new Error(`sign-in ended at ${endPath}`);
  }

  /** Lets all sessions of a user expire now. */
  async expireSessions(email: string): Promise<void> {
    await expireSessions(this.mongodbUri, email);
  }

  /** Changes the sessions of a user as if they had last been used earlier by `byMs`. */
  async ageSessions(email: string, byMs: number): Promise<void> {
    await ageSessions(this.mongodbUri, email, byMs);
  }

  /** Changes a user's tier as the operator's command does. */
  async setTier(email: string, tier: Tier): Promise<void> {
    await setTier(this.mongodbUri, email, tier);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const device of this.#devices) device.close();
    await this.stop();
    await this.#resources.disposeAsync();
  }

  /** As in main.ts, production has no stand-in. */
  async #createIdentityProvider(): Promise<IdentityProvider | undefined> {
    const { signIn, isProduction, dataDir } = this.#config;
    if (signIn !== null || isProduction) return undefined;
    return await createIdentityProvider({ publicUrl: this.origin, dataDir, callbackPath: CALLBACK_PATH });
  }

  async #createPaymentStandIn(): Promise<PaymentStandIn | undefined> {
    const { env, settings } = this.#config;
    if (env.PAYMENT_STAND_IN !== "on" || !this.#paymentProvider) return undefined;
    return await connectPaymentStandIn(this.#paymentProvider, this.origin, settings.payment.timeoutMs);
  }
}
