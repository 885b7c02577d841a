/**
 * A whole server for a test: real database, tools, sample site and sockets, on a free port, with a
 * database and a folder of its own.
 */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { inject } from "vitest";
import mongoose from "mongoose";
import type { Tier } from "../../../common/tiers.ts";
import { openSessionModel } from "../../domain/accounts/sessions.ts";
import { openUserModel } from "../../domain/accounts/user-model.ts";
import { parseHostEntry } from "../../../common/hosts.ts";
import { readConfig, type Config } from "../../config/config.ts";
import { createEarlyServer } from "../../http/edge/early-server.ts";
import { CALLBACK_PATH } from "../../http/sign-in/code-flow.ts";
import { startServer } from "../../server.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import { createIdentityProvider } from "../stand-ins/identity-provider/identity-provider.ts";
import type { VariableName } from "../../config/variables.ts";
import { mergeSettings, type SettingsOverrides } from "../../config/settings.ts";
import { expireSessions } from "./expire-sessions.ts";
import { startPaymentProvider, type PaymentProvider } from "../stand-ins/payment-provider/payment-provider.ts";
import { joinPaymentStandIn } from "../stand-ins/payment-stand-in.ts";
import { repositoryDataDir } from "../repository.ts";
import { setTier } from "./set-tier.ts";
import { startSampleSite, type SampleSite } from "../stand-ins/sample-site/sample-site.ts";
import { openDevice, walkThroughSignIn, type TestDevice } from "./test-device.ts";

export { openDevice, walkThroughSignIn, type LiveView, type TestDevice } from "./test-device.ts";

/** Short where a person would not mind waiting; a test overrides what it is about. */
const QUICK: SettingsOverrides = {
  domain: { retryBackoffMs: 50, leaseMs: 6_000 },
  worker: { sweepMs: 200, ticketPollMs: 200 },
  previews: { pictureMs: 60_000 },
  pipeline: { killGraceMs: 500, stallTimeoutMs: 10_000, minFreeDiskBytes: 1_000_000 },
  // Tests make many requests from one address; those about limits set their own.
  rates: {
    createPerDevice: { free: 10_000, pro: 10_000 },
    createPerUser: { free: 10_000, pro: 10_000 },
    createPerAddress: { free: 10_000, pro: 10_000 },
    signInPerAddress: 10_000,
    previewPerDevice: 10_000,
    previewPerAddress: 10_000,
    billingPerUser: 10_000,
  },
  realtime: { socketsPerDevice: 1_000 },
};
const QUICK_ENVIRONMENT = { LOG_LEVEL: "silent", ACTIVE_JOBS_FREE: "1000", ACTIVE_JOBS_PRO: "1000" };

/** Environment variables by their names, and overrides of settings. */
export type TestServerOptions = Partial<Readonly<Record<VariableName, string>>> & {
  readonly settings?: SettingsOverrides;
};

const WEBHOOK_RETRIES_MS = [50, 100, 200, 400];

export interface TestServer {
  readonly origin: string;
  readonly config: Config;
  readonly site: SampleSite;
  /** Where built pages would be; empty unless a test puts some there. */
  readonly distFolder: string;
  /** There with PAYMENT_STAND_IN=on. It outlives a stop of the server. */
  readonly payments: PaymentProvider;
  /** The database's address, with this server's own name. */
  readonly mongodbUri: string;
  /** A browser that has never been here. */
  newDevice(): Promise<TestDevice>;
  /** Signs a browser in through the provider's real pages; its live view is then the user's. */
  signIn(device: TestDevice, person: { email: string; firstName?: string }): Promise<void>;
  /** As if the sessions of somebody had not been used for too long. */
  expireSessions(email: string): Promise<void>;
  /** As if the sessions of somebody had last been used so much earlier. */
  ageSessions(email: string, byMs: number): Promise<void>;
  /** What an operator's command does. */
  setTier(email: string, tier: Tier): Promise<void>;
  /** Stops the server and leaves database, files and sample site as they are. */
  stop(): Promise<void>;
  /** Starts it again on the same data. */
  start(options?: TestServerOptions): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * @param options overrides of the environment and of settings
 * @param beside another, whose database, folder and video site this one shares; it is to outlive this one
 * @param convert works in place of the pipeline, for tests of what lies around it
 */
export async function startTestServer(
  options: TestServerOptions = {},
  beside?: TestServer,
  convert?: Runtime["convert"],
): Promise<TestServer> {
  const { settings = {}, ...env } = options;
  await using started = new AsyncDisposableStack();
  const dataDir = beside?.config.dataDir ?? (await mkdtemp(join(tmpdir(), "tapedeck-server-")));
  if (!beside) started.defer(() => rm(dataDir, { recursive: true, force: true }));
  const paymentProvider =
    env.PAYMENT_STAND_IN === "on"
      ? await startPaymentProvider({ port: 0, log: () => undefined, webhookRetryDelaysMs: WEBHOOK_RETRIES_MS })
      : null;
  started.defer(async () => paymentProvider?.stop());
  const tools = inject("toolPaths");
  // The clips are made once for all tests, beside the tools.
  const site =
    beside?.site ??
    (await startSampleSite({ dataDir: repositoryDataDir(), ffmpegPath: tools.ffmpegPath, report: () => undefined }));
  if (!beside) started.defer(() => site.stop());
  const mongodbUri = beside?.mongodbUri ?? `${inject("mongodbUri").replace(/\/$/, "")}/test-${randomUUID()}`;
  let running: { stop(): Promise<void> } | undefined;
  let port = 0;
  const sessionKeys = ["test-key-test-key-test-key-test-key"];
  const given = {
    ...QUICK_ENVIRONMENT,
    DATA_DIR: dataDir,
    MONGODB_URI: mongodbUri,
    SESSION_KEYS: sessionKeys.join(","),
    SHARED_DISK: "on",
    ...env,
  };
  const givenSettings = mergeSettings(QUICK, settings);
  let config = readConfig(given, givenSettings);
  const distFolder = join(dataDir, "no-pages");

  async function start({ settings: moreSettings = {}, ...more }: TestServerOptions = {}): Promise<void> {
    const listening = createEarlyServer({});
    listening.listen(port, "127.0.0.1");
    await once(listening, "listening");
    port = (listening.address() as AddressInfo).port;
    const publicUrl = `http://127.0.0.1:${port}`;
    config = readConfig({ PUBLIC_URL: publicUrl, ...given, ...more }, mergeSettings(givenSettings, moreSettings));
    // As in main: production has none but the one that was named.
    const identityProvider =
      config.signIn === null && !config.isProduction
        ? await createIdentityProvider({ publicUrl, dataDir, callbackPath: CALLBACK_PATH })
        : null;
    const paymentStandIn =
      config.env.PAYMENT_STAND_IN === "on" && paymentProvider
        ? await joinPaymentStandIn(paymentProvider, publicUrl, config.settings.payment.timeoutMs)
        : null;
    running = await startServer(
      listening,
      config,
      {
        ...(identityProvider === null ? {} : { identityProvider }),
        ...(paymentStandIn === null ? {} : { paymentStandIn }),
        ...tools,
        ...(convert === undefined ? {} : { convert }),
        mongodbUri,
        sessionKeys,
        distFolder,
        extraVideoHosts: [parseHostEntry(site.host)],
        sampleLinks: site.links,
        broken: new Promise(() => undefined),
        stop: () => Promise.resolve(),
      },
      pino({ level: config.env.LOG_LEVEL }),
    );
  }
  async function stop(): Promise<void> {
    const current = running;
    running = undefined;
    await current?.stop();
  }
  await start();
  const devices: TestDevice[] = [];
  const rest = started.move();
  return {
    origin: `http://127.0.0.1:${port}`,
    get config() {
      return config;
    },
    site,
    distFolder,
    get payments() {
      if (!paymentProvider) throw new Error("start the server with PAYMENT_STAND_IN=on");
      return paymentProvider;
    },
    mongodbUri,
    async newDevice() {
      const device = await openDevice(`http://127.0.0.1:${port}`);
      devices.push(device);
      return device;
    },
    async signIn(device, person) {
      const arrivedAt = await walkThroughSignIn(device, person);
      if (arrivedAt !== "/") throw new Error(`sign-in ended at ${arrivedAt}`);
    },
    async ageSessions(email, byMs) {
      const connection = await mongoose.createConnection(mongodbUri).asPromise();
      try {
        const user = await (await openUserModel(connection)).findOne({ email });
        const sessions = await openSessionModel(connection);
        for (const { _id, data, expiresAt } of await sessions.find({ userId: user?._id ?? "" }).lean())
          await sessions.updateOne(
            { _id },
            {
              $set: { "data._expire": Number(data["_expire"]) - byMs, expiresAt: new Date(expiresAt.getTime() - byMs) },
            },
          );
      } finally {
        await connection.close();
      }
    },
    expireSessions: (email) => expireSessions(mongodbUri, email),
    setTier: (email, tier) => setTier(mongodbUri, email, tier),
    start,
    stop,
    async [Symbol.asyncDispose]() {
      for (const device of devices) device.close();
      await stop();
      await rest.disposeAsync();
    },
  };
}
