/**
 * `npm run latency`: measures in milliseconds what the sandbox adds to a tool, and the delays of the queue and the pushes,
 * with a hundred jobs one after the other on the sample site and the real server, and how long a list of 5,000 entries
 * takes to open. `-- sandbox` measures the first only.
 */
import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { io } from "socket.io-client";
import { PublicConfig } from "../../../common/api.ts";
import { isActive, Job } from "../../../common/job.ts";
import { ownPort } from "../own-port.ts";
import { measureFirstBytes } from "./first-bytes.ts";
import { median, percentile } from "./percentile.ts";
import { REPOSITORY_ROOT } from "../repository.ts";
import { createRates } from "../../config/settings.ts";
import { serverArguments } from "../settings-argument.ts";
import { measureListOpenings } from "./list-opening.ts";
import { measureSandboxCost } from "./sandbox-cost.ts";
import { untilReady } from "./until-ready.ts";
import { prepareWebhookBench } from "./webhook-latency.ts";

const JOBS = 100;

function print(name: string, values: readonly number[]): void {
  const p50 = percentile(values, 50).toFixed(1);
  const p99 = percentile(values, 99).toFixed(1);
  process.stdout.write(`${name.padEnd(44)} n=${values.length}  p50 ${p50} ms  p99 ${p99} ms\n`);
}

for (const { name, withoutMs, withMs } of await measureSandboxCost((line) => process.stderr.write(`${line}\n`))) {
  const addedMs = median(withMs.map((ms, n) => ms - (withoutMs[n] ?? Number.NaN)));
  print(`${name} without a sandbox`, withoutMs);
  print(`${name} in its sandbox`, withMs);
  process.stdout.write(`${name}: the sandbox adds ${addedMs.toFixed(1)} ms (median of pairs; goal: at most 10 ms)\n`);
}
if (process.argv[2] === "sandbox") process.exit();

const port = await ownPort();
const webhooks = await prepareWebhookBench();
const origin = `http://127.0.0.1:${port}`;
const server = spawn(process.execPath, serverArguments({ rates: createRates(10_000), ...webhooks.settings }), {
  cwd: REPOSITORY_ROOT,
  stdio: ["ignore", "ignore", "inherit"],
  env: { ...process.env, ...webhooks.env, PORT: String(port), LOG_LEVEL: "error" },
});
try {
  await untilReady(server, origin);
  const greeting = await fetch(`${origin}/api/config`);
  const cookie = greeting.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const { sampleLinks } = PublicConfig.parse(await greeting.json());
  const link = sampleLinks.find((sample) => sample.url.endsWith("/cello"))?.url ?? "";

  const socket = io(origin, { transports: ["websocket"], extraHeaders: { cookie } });
  const pushMs: number[] = [];
  const pendingAtMs = new Map<string, number>();
  const ended = new EventEmitter();
  socket.on("job", (message: unknown) => {
    const job = Job.parse(message);
    const stampedMs = Date.parse(job.updatedAt);
    // Server and client are on one machine, so their times can be compared.
    pushMs.push(Date.now() - stampedMs);
    if (job.status === "pending" && !pendingAtMs.has(job.id)) pendingAtMs.set(job.id, stampedMs);
    if (!isActive(job.status)) ended.emit("job", job.id);
  });
  await new Promise<void>((resolve) => socket.once("snapshot", () => resolve()));

  const call = (path: string, body: object): Promise<Response> =>
    fetch(`${origin}${path}`, {
      method: "POST",
      headers: { cookie, origin, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const lake = new URL("lake", link).href;
  const firstBytesMs = await measureFirstBytes(lake, { origin, cookie, socket, call });
  print("MP3 of 19 min: POST to first bytes", firstBytesMs);
  pushMs.length = 0;
  const postMs: number[] = [];
  const pickUpMs: number[] = [];
  for (let n = 0; n < JOBS; n += 1) {
    // Listen before the call, because the job may end before its answer is read.
    const oneEnded = once(ended, "job");
    const beforeMs = performance.now();
    const answer = await call("/api/conversions", { youtubeUrl: `${link}?latency=${Date.now()}-${n}`, format: "mp3" });
    postMs.push(performance.now() - beforeMs);
    const created = Job.parse(await answer.json());
    await oneEnded;
    pickUpMs.push((pendingAtMs.get(created.id) ?? Number.NaN) - Date.parse(created.createdAt));
  }
  print("POST answered", postMs);
  print("pick-up: created to pending (server's stamps)", pickUpMs);
  print("push: stamped by the worker to the client", pushMs);
  socket.disconnect();
  const { firstMs, wholeMs } = await measureListOpenings(new URL("list-5000", link).href, call);
  print("list of 5,000 opened: its first entries", firstMs);
  print("list of 5,000 opened: all entries", wholeMs);
  const { answerMs, handledMs } = await webhooks.run(origin);
  print("payment message answered", answerMs);
  print("payment message taken in to tier written", handledMs);
  const { payerMs } = await webhooks.runBurst(origin);
  print("payer behind 1,000 messages: message to Pro", payerMs);
} finally {
  server.kill("SIGTERM");
  await once(server, "exit");
  await webhooks.stop();
}
