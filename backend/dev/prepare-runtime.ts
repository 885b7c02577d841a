/** Everything a bare machine lacks: tools, database, keys, the built page, a video site to try. */
import { join } from "node:path";
import { parseHostEntry } from "../../common/hosts.ts";
import type { Config } from "../config/config.ts";
import { noteDatabaseAddress } from "../runtime/database-address.ts";
import { CALLBACK_PATH } from "../http/sign-in/code-flow.ts";
import type { PaymentStandIn, Runtime } from "../runtime/runtime.ts";
import { startEmbeddedDatabase } from "./database/embedded-database.ts";
import { createIdentityProvider } from "./stand-ins/identity-provider/identity-provider.ts";
import { buildFrontend } from "./setup/frontend-build.ts";
import { joinPaymentStandIn } from "./stand-ins/payment-stand-in.ts";
import { startPaymentProvider } from "./stand-ins/payment-provider/payment-provider.ts";
import { REPOSITORY_ROOT } from "./repository.ts";
import { startSampleSite } from "./stand-ins/sample-site/sample-site.ts";
import { loadSessionKeys } from "./setup/session-keys.ts";
import { SetUpError } from "./setup/set-up-error.ts";
import { prepareTools } from "./setup/tools.ts";

/**
 * Finds or gets what is missing, side by side where nothing depends on another.
 * @throws SetUpError whose one line says what to do; whatever was started by then is stopped again
 */
export async function prepareRuntime(
  config: Config,
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<Runtime> {
  const { env, dataDir } = config;
  await using started = new AsyncDisposableStack();

  const database = (async () => {
    if (env.MONGODB_URI !== undefined) return { uri: env.MONGODB_URI, exited: null };
    const embedded = await startEmbeddedDatabase({ dataDir, kind: env.EMBEDDED_DB, report, signal });
    started.defer(() => embedded.stop());
    const uri = databaseUri(embedded.uri);
    started.defer(await noteDatabaseAddress(dataDir, uri));
    return { uri, exited: embedded.exited };
  })();
  const toolsAndSite = (async () => {
    const tools = await prepareTools({
      dataDir,
      ytDlpPath: env.YTDLP_PATH,
      ffmpegPath: env.FFMPEG_PATH,
      report,
      signal,
    });
    const site = await startSampleSite({ port: env.SAMPLE_PORT, dataDir, ffmpegPath: tools.ffmpegPath, report });
    started.defer(() => site.stop());
    return { tools, site };
  })();
  const distFolder = join(REPOSITORY_ROOT, "frontend", "dist");
  const page = buildFrontend({ root: REPOSITORY_ROOT, outDir: distFolder, report });

  // All settle before one failure is reported, so that nothing is still starting while we stop.
  await Promise.allSettled([database, toolsAndSite, page]);
  const [{ uri, exited }, { tools, site }, sessionKeys] = await Promise.all([
    database,
    toolsAndSite,
    env.SESSION_KEYS ?? loadSessionKeys(dataDir),
    page,
  ]);
  // Only where no true one is named.
  const identityProvider =
    config.signIn === null
      ? await createIdentityProvider({ publicUrl: config.publicUrl, dataDir, callbackPath: CALLBACK_PATH })
      : undefined;
  const paymentStandIn = await startPaymentStandIn(config, report, started);
  const rest = started.move();
  return {
    ...tools,
    mongodbUri: uri,
    sessionKeys,
    ...(identityProvider === undefined ? {} : { identityProvider }),
    ...(paymentStandIn === undefined ? {} : { paymentStandIn }),
    distFolder,
    extraVideoHosts: [parseHostEntry(site.host)],
    sampleLinks: site.links,
    broken: new Promise((_resolve, reject) => {
      void exited?.then(({ isExpected, reason }) => {
        if (!isExpected)
          reject(
            new SetUpError(
              `The embedded database has ended unexpectedly (${reason}); start again, jobs go on where they were.`,
            ),
          );
      });
    }),
    stop: () => rest.disposeAsync(),
  };
}

async function startPaymentStandIn(
  { env, settings, dataDir, publicUrl }: Config,
  report: (line: string) => void,
  started: AsyncDisposableStack,
): Promise<PaymentStandIn | undefined> {
  if (env.PAYMENT_STAND_IN === "off") return undefined;
  const provider = await startPaymentProvider({
    port: settings.payment.standInPort,
    dataDir: join(dataDir, "payment-provider"),
    log: report,
  });
  started.defer(() => provider.stop());
  report(`A stand-in takes payments at ${provider.origin}; no money moves`);
  return joinPaymentStandIn(provider, publicUrl, settings.payment.timeoutMs);
}

function databaseUri(uri: string): string {
  return `${uri.replace(/\/$/, "")}/tapedeck`;
}
