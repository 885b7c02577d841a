/** Prepares the runtime dependencies of a development server: tools, database, keys, built pages and stand-ins. */
import { join } from "node:path";
import { parseHostEntry } from "../../common/hosts.ts";
import type { Config } from "../config/config.ts";
import { writeDatabaseAddress } from "../runtime/database-address.ts";
import { loadSessionKeys } from "../runtime/session-keys.ts";
import { CALLBACK_PATH } from "../http/sign-in/code-flow.ts";
import type { PaymentStandIn, Runtime } from "../runtime/runtime.ts";
import type { DatabaseExit } from "./database/database-process.ts";
import { siteDatabaseUri, startEmbeddedDatabase } from "./database/embedded-database.ts";
import { createIdentityProvider } from "./stand-ins/identity-provider/identity-provider.ts";
import { buildFrontend } from "./setup/frontend-build.ts";
import { connectPaymentStandIn } from "./stand-ins/payment-stand-in.ts";
import { startPaymentProvider } from "./stand-ins/payment-provider/payment-provider.ts";
import { REPOSITORY_ROOT } from "./repository.ts";
import { startOnSamePort } from "./stand-ins/sample-site/same-port.ts";
import { SetUpError } from "./setup/set-up-error.ts";
import { prepareTools } from "./setup/tools.ts";

/**
 * Finds or fetches what is missing; independent steps run in parallel.
 * @param report gets a line for every step that takes time
 * @throws SetUpError with one line that says what to do; everything started before is stopped
 */
export async function prepareRuntime(
  config: Config,
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<Runtime> {
  const { env, dataDir } = config;
  await using started = new AsyncDisposableStack();
  const setUp: SetUp = { config, report, signal, started };
  const database = prepareDatabase(setUp);
  const toolsAndSite = prepareToolsAndSite(setUp);
  const distFolder = join(REPOSITORY_ROOT, "frontend", "dist");
  const page = buildFrontend({ root: REPOSITORY_ROOT, outDir: distFolder, report });

  // Wait for all before a failure is thrown: no step may still start something while `started` is disposed.
  await Promise.allSettled([database, toolsAndSite, page]);
  const [{ uri, exited }, { tools, site }, sessionKeys] = await Promise.all([
    database,
    toolsAndSite,
    env.SESSION_KEYS ?? loadSessionKeys(dataDir),
    page,
  ]);
  const identityProvider =
    config.signIn === null
      ? await createIdentityProvider({ publicUrl: config.publicUrl, dataDir, callbackPath: CALLBACK_PATH })
      : undefined;
  const paymentStandIn = await startPaymentStandIn(setUp);
  const rest = started.move();
  return {
    ...tools,
    mongodbUri: uri,
    sessionKeys,
    identityProvider,
    paymentStandIn,
    distFolder,
    extraVideoHosts: [parseHostEntry(site.host)],
    sampleLinks: site.links,
    broken: rejectOnCrash(exited),
    stop: () => rest.disposeAsync(),
  };
}

interface SetUp {
  readonly config: Config;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
  /** Stops what was started. */
  readonly started: AsyncDisposableStack;
}

interface Database {
  readonly uri: string;
  /** Settles when an embedded database has ended; null for a database of the operator. */
  readonly exited: Promise<DatabaseExit> | null;
}

async function prepareDatabase({ config, report, signal, started }: SetUp): Promise<Database> {
  const { env, dataDir } = config;
  if (env.MONGODB_URI !== undefined) return { uri: env.MONGODB_URI, exited: null };
  const embedded = await startEmbeddedDatabase({ dataDir, kind: env.EMBEDDED_DB, report, signal });
  started.defer(() => embedded.stop());
  const uri = siteDatabaseUri(embedded);
  started.defer(await writeDatabaseAddress(dataDir, uri));
  return { uri, exited: embedded.exited };
}

/** One after the other, because the site makes its clips with ffmpeg. */
async function prepareToolsAndSite({ config, report, signal, started }: SetUp) {
  const { env, dataDir } = config;
  const tools = await prepareTools({
    dataDir,
    ytDlpPath: env.YTDLP_PATH,
    ffmpegPath: env.FFMPEG_PATH,
    report,
    signal,
  });
  const { ffmpegPath } = tools;
  const site = await startOnSamePort(join(dataDir, "sample-site-port"), { dataDir, ffmpegPath, report });
  started.defer(() => site.stop());
  return { tools, site };
}

async function startPaymentStandIn({ config, report, started }: SetUp): Promise<PaymentStandIn | undefined> {
  const { env, settings, dataDir, publicUrl } = config;
  if (env.PAYMENT_STAND_IN === "off") return undefined;
  const provider = await startPaymentProvider({
    port: settings.payment.standInPort,
    dataDir: join(dataDir, "payment-provider"),
    log: report,
  });
  started.defer(() => provider.stop());
  report(`A stand-in takes payments at ${provider.origin}; no money moves`);
  return connectPaymentStandIn(provider, publicUrl, settings.payment.timeoutMs);
}

/** Rejects when the embedded database ends without a stop. */
async function rejectOnCrash(exited: Database["exited"]): Promise<never> {
  const exit = await exited;
  // A promise that never settles.
  if (!exit || exit.isExpected) return await new Promise(() => undefined);
  throw new SetUpError(
    `The embedded database has ended unexpectedly (${exit.reason}); start again, jobs go on where they were.`,
  );
}
