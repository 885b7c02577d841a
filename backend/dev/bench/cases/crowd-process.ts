/** `node crowd-process.ts ORIGIN SOCKETS`: a process with many open pages that only listen. */
import { io, type Socket } from "socket.io-client";

const [origin = "", count = "0"] = process.argv.slice(2);
/** Pages of one device. */
const PAGES = 10;
/** Devices that connect at the same time; more would run into the connect timeout. */
const AT_ONCE = 20;

async function openPage(cookie: string): Promise<Socket> {
  const socket = io(origin, { transports: ["websocket"], forceNew: true, extraHeaders: { cookie } });
  await new Promise<void>((resolve) => socket.once("snapshot", () => resolve()));
  return socket;
}

async function openDevice(pages: number): Promise<void> {
  const greeting = await fetch(`${origin}/api/device-info`);
  await greeting.body?.cancel();
  const cookie = greeting.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  for (let page = 0; page < pages; page += 1) await openPage(cookie);
}

const devices = Array.from({ length: Math.ceil(Number(count) / PAGES) }, () => PAGES);
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let pages = devices.pop(); pages !== undefined; pages = devices.pop()) await openDevice(pages);
  }),
);
process.send?.("open");
process.once("disconnect", () => process.exit(0));
