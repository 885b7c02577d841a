/** Opens what the operator's page reads. Every process reports of itself; those with a site also show it. */
import { hostname } from "node:os";
import type { Config } from "../../config/config.ts";
import type { Billing } from "../../domain/billing/billing.ts";
import type { DatabaseWatch } from "../../domain/database/database-watch.ts";
import type { Domain } from "../../domain/domain.ts";
import { createOperatorView, type OperatorView } from "../../domain/operator/operator-view.ts";
import { ProcessReports } from "../../domain/operator/process-reports.ts";
import type { ConversionWorker } from "../../worker/worker.ts";
import { readFreeBytes } from "../free-disk.ts";
import type { Metrics } from "../metrics/metrics.ts";

interface OperatorParts {
  readonly config: Config;
  /** Unique among all processes. */
  readonly workerId: string;
  readonly domain: Domain;
  readonly billing: Billing;
  readonly metrics: Metrics;
  /** Null in a process that does not convert. */
  readonly worker: Pick<ConversionWorker, "state"> | null;
  readonly database: Pick<DatabaseWatch, "answerMs">;
  readonly started: AsyncDisposableStack;
  readonly onError: (error: unknown) => void;
}

export function openOperatorView({
  config,
  workerId,
  domain,
  billing,
  metrics,
  worker,
  database,
  started,
  onError,
}: OperatorParts): OperatorView {
  const startedAt = new Date().toISOString();
  const readOwn = async () => ({
    id: workerId,
    name: `${hostname()}:${process.pid}`,
    role: config.env.ROLE,
    startedAt,
    ...(await metrics.readFigures()),
    workerState: worker?.state() ?? null,
    databaseMs: database.answerMs(),
    freeDiskBytes: await readFreeBytes(config.dataDir),
  });
  return createOperatorView(domain, billing, started.use(new ProcessReports(domain.bus, readOwn, onError)));
}
