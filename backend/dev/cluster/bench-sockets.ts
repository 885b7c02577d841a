/**
 * Memory, CPU time and push delay of web processes with ten thousand connected browsers. Most browsers only keep their
 * socket open. Those whose jobs run are in a process of their own, so that the delays of the crowd's processes, which
 * share the machine, are not measured as delays of the pushes.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { z } from "zod";
import { parseStat } from "../bench/measuring/process-tree.ts";
import { percentile } from "../measure/percentile.ts";
import { newCookies, requestConversion, withCluster, type BenchOptions } from "./bench-cluster.ts";
import type { Cluster, ClusterPart } from "./cluster.ts";
import { Report, type Order } from "./sockets.ts";

const MB = 1_000_000;

/** Sockets after each step. */
const CROWDS = [1_000, 10_000] as const;
const SOCKETS_PER_GENERATOR = 5_000;
const RUNNING_JOBS = 200;
const RUNNERS = 4;
/** Jobs begin one after the other, as in production, and not in the same second. */
const BEGIN_EVERY_MS = 100;
const WINDOW_MS = 20_000;
/**
 * As many pushes of each job as in production where nothing but progress is pushed, five a second; a version of the job
 * never waits for its turn, which would count as delay.
 */
const PUSH_INTERVAL_MS = 80;
const TICK_MS = 210;
/** Every job still runs at the end of the window. */
const CONVERSION_MS = RUNNING_JOBS * BEGIN_EVERY_MS + WINDOW_MS + 15_000;
/** Until memory and CPU time no longer tell of the handshakes; two intervals of the heartbeat. */
const SETTLE_MS = 20_000;
const METRICS_TOKEN = "cluster-bench-metrics";

interface Generator {
  send(order: z.infer<typeof Order>): Promise<z.infer<typeof Report>>;
  end(): Promise<void>;
}

function startGenerator(): Generator {
  const child = fork(join(import.meta.dirname, "sockets.ts"));
  return {
    async send(order) {
      const answered = once(child, "message");
      child.send(order);
      const [answer] = await answered;
      return Report.parse(answer);
    },
    async end() {
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** Use of the web processes at one moment; the delays are those since the reading before. */
interface Use {
  readonly atMs: number;
  readonly cpuSeconds: number;
  readonly residentBytes: number;
  /** Largest delay of the event loop that 99 % of the samples of one process do not exceed. */
  readonly loopP99Ms: number;
  readonly loopMaxMs: number;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

async function readUse(webs: readonly ClusterPart[]): Promise<Use> {
  const each = await Promise.all(
    webs.map(async ({ pid, origin }) => {
      const status = await readFile(`/proc/${pid}/status`, "utf8");
      const answer = await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
      const metrics = await answer.text();
      const secondsOf = (name: string) => Number(new RegExp(`^${name}(?:{.*})? (\\S+)$`, "m").exec(metrics)?.[1]);
      return {
        cpuSeconds: parseStat(await readFile(`/proc/${pid}/stat`, "utf8")).ownCpuSeconds,
        residentBytes: Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1_024,
        loopP99Ms: secondsOf("nodejs_eventloop_lag_p99_seconds") * 1_000,
        loopMaxMs: secondsOf("nodejs_eventloop_lag_max_seconds") * 1_000,
      };
    }),
  );
  return {
    atMs: performance.now(),
    cpuSeconds: sum(each.map((one) => one.cpuSeconds)),
    residentBytes: sum(each.map((one) => one.residentBytes)),
    loopP99Ms: Math.max(...each.map((one) => one.loopP99Ms)),
    loopMaxMs: Math.max(...each.map((one) => one.loopMaxMs)),
  };
}

function describeUse(before: Use, after: Use): string {
  const share = (100 * (after.cpuSeconds - before.cpuSeconds)) / ((after.atMs - before.atMs) / 1_000);
  return (
    `${(after.residentBytes / MB).toFixed(0)} MB, ${share.toFixed(1)} % of a core, ` +
    `event loop p99 ${after.loopP99Ms.toFixed(1)} ms, longest ${after.loopMaxMs.toFixed(1)} ms`
  );
}

const machineLoad = () => `load ${loadavg()[0]?.toFixed(2)}`;

export async function benchSockets({ tools, report }: BenchOptions, webs: number): Promise<void> {
  const parts = {
    webs,
    workers: RUNNERS,
    concurrency: RUNNING_JOBS / RUNNERS,
    conversionMs: CONVERSION_MS,
    env: { METRICS_TOKEN, ARTIFICIAL_TICK_MS: String(TICK_MS) },
    settings: { realtime: { pushIntervalMs: PUSH_INTERVAL_MS } },
  };
  await withCluster(tools, parts, async (cluster) => {
    const generators: Generator[] = [];
    const connect = async (cookies: string[], n: number): Promise<Generator> => {
      const generator = startGenerator();
      generators.push(generator);
      const origin = webs === 1 ? cluster.webs[0]?.origin : cluster.webs[n % webs]?.origin;
      await generator.send({ do: "connect", origin: origin ?? "", pageOrigin: cluster.origin, cookies });
      return generator;
    };
    try {
      report(`${webs} web process${webs === 1 ? "" : "es"}, ${machineLoad()}`);
      const start = await idleUse(cluster, report, 0);
      // On the process that gets the first part of the crowd.
      const watching = newCookies(cluster, RUNNING_JOBS);
      const watchers = await connect(watching, 0);
      let open = RUNNING_JOBS;
      for (const crowd of CROWDS) {
        for (let n = 0; open < crowd; n += 1) {
          const count = Math.min(SOCKETS_PER_GENERATOR, crowd - open);
          await connect(newCookies(cluster, count), n);
          open += count;
        }
        const { residentBytes } = await idleUse(cluster, report, open);
        report(`    ${((residentBytes - start.residentBytes) / open / 1_000).toFixed(1)} kB a socket`);
      }
      await measurePushes(cluster, watching, watchers, report);
    } finally {
      await Promise.all(generators.map((generator) => generator.end()));
    }
  });
}

/** Waits until the handshakes no longer count, and then watches processes whose browsers do nothing. */
async function idleUse({ webs }: Cluster, report: BenchOptions["report"], sockets: number): Promise<Use> {
  await delay(SETTLE_MS);
  const before = await readUse(webs);
  await delay(WINDOW_MS);
  const after = await readUse(webs);
  report(`  ${sockets} idle sockets: ${describeUse(before, after)}; ${machineLoad()}`);
  return after;
}

/** Runs a conversion for each watching browser, and reports the delays of the pushes while all of them run. */
async function measurePushes(
  cluster: Cluster,
  watching: readonly string[],
  watchers: Generator,
  report: BenchOptions["report"],
): Promise<void> {
  const { webs } = cluster;
  const describe = async (what: string, before: Use): Promise<Use> => {
    const answer = await watchers.send({ do: "report" });
    const after = await readUse(webs);
    if (answer.did !== "report") throw new Error("the watching browsers sent no report");
    const { pushMs, fromRedisMs, loopP99Ms, connected } = answer;
    const seconds = (after.atMs - before.atMs) / 1_000;
    const describeMs = (ms: readonly number[]): string => {
      const [p50, p99, longest] = [50, 99, 100].map((percent) => percentile(ms, percent).toFixed(0));
      return `p50 ${p50} ms, p99 ${p99} ms, longest ${longest} ms`;
    };
    report(
      `  ${what}: ${(pushMs.length / seconds).toFixed(0)} pushes a second, ${describeMs(pushMs)} from the worker; ` +
        `${describeMs(fromRedisMs)} from Redis, through the web process; event loop of these browsers ` +
        `p99 ${loopP99Ms.toFixed(0)} ms; ${connected} of ${watching.length} still connected; ` +
        `${describeUse(before, after)}; ${machineLoad()}`,
    );
    return after;
  };
  const before = await readUse(webs);
  await watchers.send({ do: "measure" });
  const requests: Promise<void>[] = [];
  for (const [n, cookie] of watching.entries()) {
    requests.push(requestConversion(cluster, cookie, n));
    await delay(BEGIN_EVERY_MS);
  }
  await Promise.all(requests);
  const allRun = await describe("while 200 jobs begin", before);
  await watchers.send({ do: "measure" });
  await delay(WINDOW_MS);
  await describe("while 200 jobs run", allRun);
}
