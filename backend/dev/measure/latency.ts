/**
 * `npm run latency`: measures in milliseconds what the sandbox adds to a tool, and the delays of the queue and the
 * pushes, with a hundred jobs one after the other on the sample site and the real server. `-- sandbox` measures the first
 * only.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { linkSharedFolders } from "../product/data-folder.ts";
import { startProduct } from "../product/product.ts";
import { createRates } from "../../http/middleware/rate-limits.ts";
import { prepareToolsOfCheckout } from "../setup/tools.ts";
import { openDevice } from "../testing/test-device.ts";
import { median, percentile } from "./percentile.ts";
import { measureSandboxCost } from "./sandbox-cost.ts";

const JOBS = 100;
const END_TIMEOUT_MS = 60_000;

const report = (line: string): void => void process.stderr.write(`${line}\n`);

function print(name: string, values: readonly number[]): void {
  const p50 = percentile(values, 50).toFixed(1);
  const p99 = percentile(values, 99).toFixed(1);
  process.stdout.write(`${name.padEnd(44)} n=${values.length}  p50 ${p50} ms  p99 ${p99} ms\n`);
}

async function printSandboxCost(): Promise<void> {
  for (const { name, withoutMs, withMs } of await measureSandboxCost(report)) {
    const addedMs = median(withMs.map((ms, n) => ms - (withoutMs[n] ?? Number.NaN)));
    print(`${name} without a sandbox`, withoutMs);
    print(`${name} in its sandbox`, withMs);
    process.stdout.write(`${name}: the sandbox adds ${addedMs.toFixed(1)} ms (median of pairs; goal: at most 10 ms)\n`);
  }
}

async function printDelays(): Promise<void> {
  await using started = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "tapedeck-latency-"));
  started.defer(() => rm(folder, { recursive: true, force: true }));
  const product = await startProduct({
    dataDir: await linkSharedFolders(folder),
    tools: await prepareToolsOfCheckout(report),
    settings: { rates: createRates(10_000) },
  });
  started.defer(() => product.stop());
  const device = await openDevice(product.origin);
  const live = await device.live();
  started.defer(() => device.close());
  const pushMs: number[] = [];
  const pendingAtMs = new Map<string, number>();
  live.socket.on("job", (job) => {
    const stampedMs = Date.parse(job.updatedAt);
    // Server and client are on one machine, so their times can be compared.
    pushMs.push(Date.now() - stampedMs);
    if (job.status === "pending" && !pendingAtMs.has(job.id)) pendingAtMs.set(job.id, stampedMs);
  });
  const link = await product.sampleUrl("cello");
  const postMs: number[] = [];
  const pickUpMs: number[] = [];
  for (let n = 0; n < JOBS; n += 1) {
    const beforeMs = performance.now();
    const created = await device.convert(`${link}?latency=${n}`);
    postMs.push(performance.now() - beforeMs);
    await live.untilEnded(created.id, END_TIMEOUT_MS);
    pickUpMs.push((pendingAtMs.get(created.id) ?? Number.NaN) - Date.parse(created.createdAt));
  }
  print("POST answered", postMs);
  print("pick-up: created to pending (server's stamps)", pickUpMs);
  print("push: stamped by the worker to the client", pushMs);
}

await printSandboxCost();
if (process.argv[2] !== "sandbox") await printDelays();
