/** Starts the parts of a server in order, and stops them in the reverse order. */
import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import { hostname } from "node:os";
import type { Logger } from "pino";
import type { Config } from "./config/config.ts";
import { findWeakSettings } from "./config/weak-settings.ts";
import type { Realtime } from "./realtime/realtime.ts";
import { watchMachineClock } from "./runtime/machine-clock.ts";
import { createMetrics } from "./runtime/metrics/metrics.ts";
import { openOperatorView } from "./runtime/parts/open-operator.ts";
import { openTelemetry } from "./runtime/telemetry/telemetry.ts";
import type { Runtime } from "./runtime/runtime.ts";
import { openFoundation, openProduct, startWork, type Start, type Work } from "./server-parts.ts";
import { startSite, type Site } from "./server-site.ts";

export interface RunningServer {
  /** Rejects with a ConfigError when another process has taken over the database; this one must stop. */
  readonly lost: Promise<never>;
  /**
   * Reports not ready, requeues running jobs, closes connections and sockets, then the database. Writes that have
   * begun are finished or undone.
   */
  stop(): Promise<void>;
  /**
   * Stops after an uncaught error without waiting for running jobs. Each of them counts a worker death, since one of
   * them may have caused the error.
   */
  stopAfterCrash(): Promise<void>;
}

/**
 * Starts all parts of a process; its role decides which ones.
 * @param http already listening, so that a taken port is reported before anything is set up
 * @throws ConfigError in one line when a service that the server needs cannot be used; what was started is stopped
 */
export async function startServer(http: Server, config: Config, runtime: Runtime, log: Logger): Promise<RunningServer> {
  await using started = new AsyncDisposableStack();
  const workerId = `${hostname()}:${process.pid}:${randomUUID()}`;
  const onError = (error: unknown) => log.error({ error }, "something failed in the background");
  // Closed last, so that the spans of the stop are sent too.
  const telemetry = await openTelemetry(config, workerId, log);
  started.defer(() => telemetry.close());
  const start: Start = { config, runtime, log, started, workerId, onError, tracer: telemetry.tracer };
  for (const warning of findWeakSettings(config)) log.warn(warning);

  const foundation = await openFoundation(start);
  const product = await openProduct(start, foundation);
  started.use(await watchMachineClock(product.domain.jobs, log));
  const metrics = createMetrics(product.domain.jobs, foundation.sharing.bus, foundation.database);
  const exportedMetrics = telemetry.openMetrics(metrics.readAll);
  // While the database is open, from which some of them are read.
  started.defer(() => exportedMetrics.close());
  const work = await startWork(start, foundation, product, metrics);
  const operatorView = openOperatorView({ ...start, ...foundation, ...product, ...work, metrics });
  const site = await startSite(http, start, { foundation, product, work, metrics, operatorView });

  const rest = started.move();
  return {
    lost: foundation.claim.lost,
    stop: () => stopServer(http, { work, site, rest }, () => work.worker?.stop(), config.drainMs),
    stopAfterCrash: () => stopServer(http, { work, site, rest }, () => work.worker?.stopAfterCrash(), 0),
  };
}

interface Stopping {
  readonly work: Work;
  readonly site: Site;
  /** Everything that was opened before the site. */
  readonly rest: AsyncDisposableStack;
}

/** @param drainMs how long requests and downloads in progress may take */
async function stopServer(
  http: Server,
  { work, site, rest }: Stopping,
  stopWorker: () => Promise<void> | undefined,
  drainMs: number,
): Promise<void> {
  site.readiness.isStopping = true;
  // The worker pushes the jobs that it requeues, so the sockets close after it.
  await Promise.all([stopWorker(), ...work.otherWorkers.map((worker) => worker.stop())]);
  work.publisher?.close();
  await closeConnections(http, site.realtime, drainMs);
  await rest.disposeAsync();
}

/** Closes sockets at once: browsers reconnect to another process. Requests and downloads may end within `drainMs`. */
async function closeConnections(http: Server, realtime: Realtime | null, drainMs: number): Promise<void> {
  if (drainMs === 0) http.closeAllConnections();
  const cutOff = setTimeout(() => http.closeAllConnections(), drainMs);
  try {
    if (realtime) await realtime.close();
    else await new Promise((closed) => http.close(closed));
  } finally {
    clearTimeout(cutOff);
  }
}
