/** Where the server starts: reads the environment, starts everything, stops it in order. */
import type { Server } from "node:http";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import pino, { type Logger } from "pino";
import pretty from "pino-pretty";
import { ConfigError, readConfig, type Config } from "./config/config.ts";
import { lockDataFolder } from "./runtime/data-folder-lock.ts";
import { createEarlyServer } from "./http/edge/early-server.ts";
import { createSecurityHeaders } from "./http/edge/security-headers.ts";
import { isDatabaseAway } from "./domain/database/database-watch.ts";
import { startServer } from "./server.ts";
import type { SettingsOverrides } from "./config/settings.ts";
import type { Runtime } from "./runtime/runtime.ts";

const ROOT = resolve(import.meta.dirname, "..");

async function main(settings: SettingsOverrides): Promise<void> {
  const startedAtMs = Date.now();
  if (existsSync(join(ROOT, ".env"))) process.loadEnvFile(join(ROOT, ".env"));
  const config = readConfig(process.env, settings);
  const log = createLog(config);
  const stopping = new AbortController();
  // Ctrl-C in a terminal arrives from the terminal and once more from npm: one is enough.
  const signals = new Promise<NodeJS.Signals>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => resolve(signal));
  });
  void signals.then((signal) => {
    log.info(`stopping on ${signal}`);
    stopping.abort(new StoppedBySignal(signal));
    // The last resort: nothing may keep a stopped process alive.
    setTimeout(() => {
      log.error("stopping took too long");
      process.exit(1);
    }, config.drainMs + config.settings.shutdown.timeoutMs).unref();
  });

  const uncaught = watchUncaught(log);
  await using started = new AsyncDisposableStack();
  const http = await listen(config);
  started.defer(() => void http.close());
  if (config.isAlone) started.defer(await lockDataFolder(config.dataDir));
  const runtime = await findRuntime(config, stopping.signal, (line) => log.info(line));
  started.defer(() => runtime.stop());
  // Awaited below; it may fail before.
  runtime.broken.catch(() => undefined);
  stopping.signal.throwIfAborted();
  try {
    const server = await Promise.race([startServer(http, config, runtime, log), runtime.broken]);
    started.defer(() => (uncaught.hasOccurred() ? server.stopAfterCrash() : server.stop()));
    log.info(`Tapedeck is ready at ${config.publicUrl} (${((Date.now() - startedAtMs) / 1_000).toFixed(1)} s)`);
    await Promise.race([signals, runtime.broken, uncaught.occurred, server.lost]);
  } catch (error) {
    // Stopping in order waits for what may never answer again; the next start makes up for what is left undone.
    setTimeout(() => end(error), BROKEN_STOP_MS).unref();
    throw error;
  }
}

/** A little longer than a healthy embedded database takes to close its files. */
const BROKEN_STOP_MS = 7_000;

/** Says why the process ends, unless that is known, and ends it. */
function end(error: unknown): never {
  // Stopping failed as well, mostly for the same reason: the first error explains it.
  if (error instanceof SuppressedError) return end(error.suppressed);
  if (error instanceof UncaughtError) process.exit(1);
  if (error instanceof StoppedBySignal) process.exit(0);
  // Errors that say what to do are one line; anything else is a fault, and its stack helps.
  const isPlain = error instanceof ConfigError || (error instanceof Error && error.name === "SetUpError");
  process.stderr.write(
    `${isPlain ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(1);
}

/** A process in an unknown state may use so long to give its jobs back; then their leases have to run out. */
const DYING_MS = 5_000;

/** The reason of a start that a signal interrupts: the process ends without an error. */
class StoppedBySignal extends Error {
  constructor(signal: NodeJS.Signals) {
    super(`stopped by ${signal}`);
  }
}

/** An error that has been logged already; the process ends because of it. */
class UncaughtError extends Error {}

interface Uncaught {
  /** Rejects with UncaughtError. */
  readonly occurred: Promise<never>;
  hasOccurred(): boolean;
}

/** Logs the first error that no promise caught in one line, and bounds the time that the process goes on after it. */
function watchUncaught(log: Logger): Uncaught {
  const { promise, reject } = Promise.withResolvers<never>();
  // It may come while the server starts, when nobody awaits it yet.
  promise.catch(() => undefined);
  let hasOccurred = false;
  process.on("uncaughtException", (error) => {
    // What follows from the first one explains nothing.
    if (hasOccurred) return;
    hasOccurred = true;
    log.fatal({ error }, "an error was thrown outside of any promise; the server ends");
    setTimeout(() => process.exit(1), DYING_MS);
    reject(new UncaughtError("stopped by an error outside of any promise", { cause: error }));
  });
  return { occurred: promise, hasOccurred: () => hasOccurred };
}

/** The one switch between what development makes for itself and what production is given. */
async function findRuntime(config: Config, signal: AbortSignal, report: (line: string) => void): Promise<Runtime> {
  const { env } = config;
  if (!config.isProduction) {
    const { prepareRuntime } = await import("./dev/prepare-runtime.ts");
    return prepareRuntime(config, report, signal);
  }
  return {
    ytDlpPath: env.YTDLP_PATH ?? "yt-dlp",
    ffmpegPath: env.FFMPEG_PATH ?? "ffmpeg",
    ffprobePath: env.FFMPEG_PATH?.replace(/ffmpeg$/, "ffprobe") ?? "ffprobe",
    mongodbUri: env.MONGODB_URI ?? "",
    sessionKeys: env.SESSION_KEYS ?? [],
    distFolder: join(ROOT, "frontend", "dist"),
    extraVideoHosts: [],
    sampleLinks: [],
    broken: new Promise(() => undefined),
    stop: () => Promise.resolve(),
  };
}

/**
 * An idle connection is closed by whoever uses it, not by us: a call that crosses our closing would be lost. Balancers
 * and browsers keep one for two minutes at most (Caddy's default).
 */
const KEEP_ALIVE_TIMEOUT_MS = 150_000;

/** Takes the port at once; whoever comes before everything is ready is asked to come back. */
async function listen({ env, publicUrl }: Config): Promise<Server> {
  // The page has no script, so it needs to know of no built page and of no payment provider.
  const http = createEarlyServer(
    await createSecurityHeaders({ isSecure: publicUrl.startsWith("https:"), paymentPage: null, distFolder: "" }),
  );
  http.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  await new Promise<void>((resolve, reject) => {
    http.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE")
        reject(
          new ConfigError(
            `PORT must be a free port, but ${env.PORT} is taken by another program; stop it, or set PORT to another one`,
          ),
        );
      else if (error.code === "EACCES")
        reject(
          new ConfigError(`PORT must be one this user may open, but ${env.PORT} is not; set PORT to 1024 or more`),
        );
      else reject(error);
    });
    http.listen({ port: env.PORT, ...(env.HOST === undefined ? {} : { host: env.HOST }) }, resolve);
  });
  return http;
}

/** Where we were when the database went away says nothing; of everything else the stack helps. */
function serializeError(error: unknown): unknown {
  if (isDatabaseAway(error) && error instanceof Error) return { type: error.name, message: error.message };
  return error instanceof Error ? pino.stdSerializers.err(error) : error;
}

function createLog(config: Config): Logger {
  const serializers = { error: serializeError, cause: serializeError };
  const options = { level: config.env.LOG_LEVEL, serializers };
  // People read it in development, machines in production.
  return config.isProduction
    ? pino(options)
    : pino(options, pretty({ ignore: "pid,hostname", translateTime: "SYS:HH:MM:ss", singleLine: true, sync: true }));
}

/**
 * Runs the server until a signal or a failure, then ends the process.
 * @param settings overrides of a test or bench; in production there are none
 */
export async function runServerProcess(settings: SettingsOverrides = {}): Promise<never> {
  try {
    await main(settings);
  } catch (error) {
    end(error);
  }
  process.exit(0);
}

if (import.meta.main) await runServerProcess();
