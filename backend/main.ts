/** Entry point: reads the environment, starts the server, and stops it in order. */
import type { Server } from "node:http";
import { resolve } from "node:path";
import type { Logger } from "pino";
import { ConfigError, readConfig, type Config } from "./config/config.ts";
import { loadEnvFile } from "./config/env-file.ts";
import type { SettingsOverrides } from "./config/settings.ts";
import { createStartingServer } from "./http/every-request/starting-server.ts";
import { createSecurityHeaders } from "./http/every-request/security-headers.ts";
import { lockDataFolder } from "./runtime/data-folder-lock.ts";
import { findOnPath } from "./runtime/find-program.ts";
import { loadSessionKeys } from "./runtime/session-keys.ts";
import { createLogger } from "./runtime/logger.ts";
import { closeDataFolder, makeFilesPrivate } from "./runtime/private-files.ts";
import type { Runtime } from "./runtime/runtime.ts";
import { startServer, type RunningServer } from "./server.ts";

/**
 * How long an orderly stop may take after a failure. It may wait for a service that never answers again. A healthy
 * embedded database needs a little less to close its files.
 */
const FAILED_STOP_MS = 7_000;
/**
 * Idle connections are kept longer than clients keep them, two minutes at most (Caddy's default), so that the client
 * closes them: a request sent just while the server closes the connection would be lost.
 */
const KEEP_ALIVE_TIMEOUT_MS = 150_000;

/** A signal stopped the process: it ends without an error. */
class StoppedBySignal extends Error {
  constructor(signal: NodeJS.Signals) {
    super(`stopped by ${signal}`);
  }
}

/** The process ends because of an uncaught error, which has been logged already. */
class UncaughtError extends Error {}

/** What ends the process from outside. */
interface Interruptions {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal;
  /** Resolves with the first signal. */
  readonly stopped: Promise<NodeJS.Signals>;
  /** Rejects with UncaughtError. */
  readonly crashed: Promise<never>;
  hasCrashed(): boolean;
}

/** Resolves after an orderly stop by a signal. */
async function main(overrides: SettingsOverrides): Promise<void> {
  const startedAtMs = Date.now();
  makeFilesPrivate();
  loadEnvFile();
  const config = readConfig(process.env, overrides);
  const log = createLogger(config);
  const interruptions = { ...watchSignals(config, log), ...watchUncaughtErrors(config, log) };
  await using started = new AsyncDisposableStack();
  const http = await listen(config);
  started.defer(() => void http.close());
  const openFolder = await closeDataFolder(config.dataDir);
  if (openFolder !== undefined) log.warn(`DATA_DIR: ${openFolder}`);
  if (config.isSingleProcess) started.defer(await lockDataFolder(config.dataDir));
  const runtime = await openRuntime(config, interruptions.signal, (line) => log.info(line));
  started.defer(() => runtime.stop());
  // It is awaited below, but may reject before that.
  runtime.broken.catch(() => undefined);
  interruptions.signal.throwIfAborted();
  try {
    const server = await Promise.race([startServer(http, config, runtime, log), runtime.broken]);
    started.defer(() => stopServer(server, interruptions));
    log.info(`Tapedeck is ready at ${config.publicUrl} (${((Date.now() - startedAtMs) / 1_000).toFixed(1)} s)`);
    await Promise.race([interruptions.stopped, interruptions.crashed, runtime.broken, server.lost]);
  } catch (error) {
    // After an uncaught error, another timer has been set.
    if (!interruptions.hasCrashed()) setTimeout(() => exit(error), FAILED_STOP_MS).unref();
    throw error;
  }
}

function stopServer(server: RunningServer, interruptions: Interruptions): Promise<void> {
  return interruptions.hasCrashed() ? server.stopAfterCrash() : server.stop();
}

/** Handles SIGINT and SIGTERM. Kills the process if an orderly stop takes too long. */
function watchSignals(config: Config, log: Logger): Pick<Interruptions, "signal" | "stopped"> {
  const abort = new AbortController();
  const { promise: stopped, resolve: onSignal } = Promise.withResolvers<NodeJS.Signals>();
  // Ctrl-C in a terminal sends the signal twice, once through npm. Only the first one counts.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => onSignal(signal));
  void stopped.then((signal) => {
    log.info(`stopping on ${signal}`);
    abort.abort(new StoppedBySignal(signal));
    setTimeout(() => {
      log.error("stopping took too long");
      process.exit(1);
    }, config.drainMs + config.settings.shutdown.timeoutMs).unref();
  });
  return { signal: abort.signal, stopped };
}

/** Logs the first uncaught error and limits how long the process goes on after it. Later ones follow from it. */
function watchUncaughtErrors(config: Config, log: Logger): Pick<Interruptions, "crashed" | "hasCrashed"> {
  const { promise: crashed, reject } = Promise.withResolvers<never>();
  // It may reject during the start, before it is awaited.
  crashed.catch(() => undefined);
  let hasCrashed = false;
  process.on("uncaughtException", (error) => {
    if (hasCrashed) return;
    hasCrashed = true;
    log.fatal({ error }, "an error was thrown outside of any promise; the server ends");
    setTimeout(() => process.exit(1), config.settings.shutdown.crashMs);
    reject(new UncaughtError("stopped by an error outside of any promise", { cause: error }));
  });
  return { crashed, hasCrashed: () => hasCrashed };
}

/**
 * Prepares tools, database and pages in development; takes them from the environment in production.
 * @param signal aborts the preparation
 */
async function openRuntime(config: Config, signal: AbortSignal, report: (line: string) => void): Promise<Runtime> {
  const { env } = config;
  if (!config.isProduction) {
    const { prepareRuntime } = await import("./dev/prepare-runtime.ts");
    return prepareRuntime(config, report, signal);
  }
  return {
    ytDlpPath: env.YTDLP_PATH ?? findOnPath("yt-dlp") ?? "yt-dlp",
    ffmpegPath: env.FFMPEG_PATH ?? "ffmpeg",
    ffprobePath: env.FFMPEG_PATH?.replace(/ffmpeg$/, "ffprobe") ?? "ffprobe",
    mongodbUri: env.MONGODB_URI ?? "",
    // A worker signs no cookies.
    sessionKeys: env.SESSION_KEYS ?? (env.ROLE === "worker" ? [] : await loadSessionKeys(config.dataDir)),
    distFolder: resolve(import.meta.dirname, "../frontend/dist"),
    extraVideoHosts: [],
    sampleLinks: [],
    broken: new Promise(() => undefined),
    stop: () => Promise.resolve(),
  };
}

/**
 * Opens the port before anything else is prepared. Until the server is ready, requests are asked to come back.
 * @throws ConfigError when the port cannot be opened
 */
async function listen({ env, host, publicUrl }: Config): Promise<Server> {
  // Its page has no script, so its headers allow neither those of the built page nor the payment provider's.
  const headers = { isSecure: publicUrl.startsWith("https:"), paymentPage: null, distFolder: "" };
  const http = createStartingServer(await createSecurityHeaders(headers));
  http.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  await new Promise<void>((opened, fail) => {
    http.once("error", (error: NodeJS.ErrnoException) => fail(explainListenError(error, env.PORT)));
    http.listen({ port: env.PORT, host }, opened);
  });
  return http;
}

function explainListenError(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === "EADDRINUSE")
    return new ConfigError(
      `PORT must be a free port, but ${port} is taken by another program; stop it, or set PORT to another one`,
    );
  if (error.code === "EACCES")
    return new ConfigError(`PORT must be one this user may open, but ${port} is not; set PORT to 1024 or more`);
  return error;
}

/** Ends the process, and prints the reason unless it was logged before. */
function exit(error: unknown): never {
  // The stop failed as well, mostly for the same reason, so the first error explains more.
  if (error instanceof SuppressedError) return exit(error.suppressed);
  if (error instanceof UncaughtError) process.exit(1);
  if (error instanceof StoppedBySignal) process.exit(0);
  process.stderr.write(`${describe(error)}\n`);
  process.exit(1);
}

/** @returns one line for an error that says what to do, and the stack of any other error */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isForOperator = error instanceof ConfigError || error.name === "SetUpError";
  return isForOperator ? error.message : (error.stack ?? error.message);
}

/**
 * Runs the server until a signal or a failure, then ends the process.
 * @param overrides settings of a test or bench; production has none
 */
export async function runServerProcess(overrides: SettingsOverrides = {}): Promise<never> {
  try {
    await main(overrides);
  } catch (error) {
    exit(error);
  }
  process.exit(0);
}

if (import.meta.main) await runServerProcess();
