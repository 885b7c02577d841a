/** How many sockets one device may have open, also when they come at the same moment. */
import { io, type Socket } from "socket.io-client";
import { afterEach, beforeEach, expect, it } from "vitest";
import { newViewer, openTestDomain, type TestDomain } from "../dev/testing/test-domain.ts";
import { startTestRealtime } from "../dev/testing/test-realtime.ts";
import type { Realtime } from "./realtime.ts";

let domain: TestDomain;
let realtime: Realtime;
let origin: string;
let sockets: Socket[];
/** Resolves when so many sockets have asked who they are; then all are told at once. */
let identified: number;
let all: PromiseWithResolvers<void>;
let expected: number;

beforeEach(async () => {
  domain = await openTestDomain();
  sockets = [];
  const viewer = newViewer();
  const started = await startTestRealtime(domain, {
    socketsPerDevice: 2,
    identify: async () => {
      identified += 1;
      if (identified === expected) all.resolve();
      await all.promise;
      return viewer;
    },
  });
  ({ realtime, origin } = started);
});
afterEach(async () => {
  for (const socket of sockets) socket.disconnect();
  await realtime.close();
  await domain.close();
});

function open(count: number): Promise<string[]> {
  identified = 0;
  expected = count;
  all = Promise.withResolvers();
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = io(origin, { transports: ["websocket"], forceNew: true, reconnection: false });
      sockets.push(socket);
      return new Promise<string>((resolve) => {
        socket.once("snapshot", () => resolve("accepted"));
        socket.once("connect_error", ({ message }) => resolve(message));
      });
    }),
  );
}

it("refuses those above the limit of sockets that come at once, and accepts others when they have gone", async () => {
  const refused = expect.stringContaining("Too many open pages");
  expect((await open(4)).toSorted()).toEqual([refused, refused, "accepted", "accepted"]);
  for (const socket of sockets) socket.disconnect();
  await expect.poll(() => realtime.socketCount()).toBe(0);
  expect((await open(3)).toSorted()).toEqual([refused, "accepted", "accepted"]);
});

it("counts no socket that has gone before it was identified", async () => {
  const gone = open(2);
  gone.catch(() => undefined);
  // One of the two is missing: nobody is told.
  expected = 3;
  await expect.poll(() => identified).toBe(2);
  for (const socket of sockets) socket.disconnect();
  await expect.poll(() => realtime.socketCount()).toBe(0);
  all.resolve();
  expect(await open(2)).toEqual(["accepted", "accepted"]);
});
