/**
 * A process with the sockets of many browsers, controlled by messages of its parent. It speaks the wire protocol
 * itself: socket.io-client would need more memory here than the measured server does.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { WebSocket } from "undici";
import { z } from "zod";

export const Order = z.discriminatedUnion("do", [
  z.object({ do: z.literal("connect"), origin: z.string(), pageOrigin: z.string(), cookies: z.array(z.string()) }),
  z.object({ do: z.literal("measure") }),
  z.object({ do: z.literal("report") }),
]);
export const Report = z.discriminatedUnion("did", [
  z.object({ did: z.literal("connect"), connected: z.number() }),
  z.object({ did: z.literal("measure") }),
  z.object({
    did: z.literal("report"),
    connected: z.number(),
    /** From the moment when a worker made a version of the job. */
    pushMs: z.array(z.number()),
    /** The same, from the moment when Redis had the version: the part of the web process and of this one. */
    fromRedisMs: z.array(z.number()),
    /** Delay of this process's own event loop while it measured, which is part of the delays of the pushes. */
    loopP99Ms: z.number(),
  }),
]);

/** Handshakes at the same time. */
const AT_A_TIME = 50;
/** First characters of a message in Engine.IO and Socket.IO. */
const PREFIX = { open: "0", ping: "2", pong: "3", connected: "40", event: "42" };
/** The last part is the entry of the stream in Redis, which begins with the time when Redis received it. */
const JobEvent = z.tuple([z.literal("job"), z.object({ updatedAt: z.iso.datetime() }), z.string().regex(/^\d+-\d+$/)]);

let connected = 0;
let pushMs: number[] = [];
let fromRedisMs: number[] = [];
const LOOP_SAMPLE_MS = 1;
const loop = monitorEventLoopDelay({ resolution: LOOP_SAMPLE_MS });
loop.enable();

function connect(address: string, pageOrigin: string, cookie: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address, { headers: { cookie, origin: pageOrigin } });
    socket.addEventListener("error", () => reject(new Error("a socket could not be opened, or broke")));
    socket.addEventListener("close", () => (connected -= 1));
    socket.addEventListener("message", ({ data }) => {
      const text = String(data);
      if (text === PREFIX.ping) socket.send(PREFIX.pong);
      else if (text.startsWith(PREFIX.connected)) {
        connected += 1;
        resolve();
      } else if (text.startsWith(PREFIX.event)) readEvent(text.slice(PREFIX.event.length));
      else if (text.startsWith(PREFIX.open)) socket.send(PREFIX.connected);
    });
  });
}

function readEvent(text: string): void {
  if (!text.startsWith('["job"')) return;
  const [, job, entry] = JobEvent.parse(JSON.parse(text));
  // All processes are on one machine, so their times can be compared.
  const nowMs = Date.now();
  pushMs.push(nowMs - Date.parse(job.updatedAt));
  fromRedisMs.push(nowMs - Number.parseInt(entry, 10));
}

async function run(order: z.infer<typeof Order>): Promise<z.infer<typeof Report>> {
  if (order.do === "measure") {
    pushMs = [];
    fromRedisMs = [];
    loop.reset();
    return { did: "measure" };
  }
  if (order.do === "report")
    return {
      did: "report",
      connected,
      pushMs,
      fromRedisMs,
      loopP99Ms: Math.max(0, loop.percentile(99) / 1e6 - LOOP_SAMPLE_MS),
    };
  const { origin, pageOrigin, cookies } = order;
  const address = `${origin.replace(/^http/, "ws")}/socket.io/?EIO=4&transport=websocket`;
  const rest = [...cookies];
  const lane = async () => {
    for (let cookie = rest.pop(); cookie !== undefined; cookie = rest.pop()) await connect(address, pageOrigin, cookie);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, lane));
  return { did: "connect", connected };
}

process.on("message", (message) => {
  run(Order.parse(message)).then(
    (report) => process.send?.(report),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
});
