/** How much may wait for a browser that does not read; unread-limit.test.ts has real connections. */
import { EventEmitter, once } from "node:events";
import type { Server } from "socket.io";
import { expect, it } from "vitest";
import { limitUnread } from "./unread-limit.ts";

/** Of all text that waits, and of each packet besides its text. */
const MOST = 1_000_000;
const OVERHEAD = 200;

/** A connection of which nothing is read. @returns a function that sends packets with texts of these lengths */
function openStuck(): { send: (...lengths: number[]) => Promise<void>; behind: unknown[] } {
  const engine = new EventEmitter();
  const behind: unknown[] = [];
  limitUnread(engine as unknown as Server["engine"], (connection) => behind.push(connection));
  const close = (): void => undefined;
  const connection = Object.assign(new EventEmitter(), { transport: {}, request: {}, writeBuffer: ["unsent"], close });
  engine.emit("connection", connection);
  return {
    behind,
    async send(...lengths) {
      for (const length of lengths) connection.emit("packetCreate", { data: "x".repeat(length) });
      // A connection is closed in the next tick.
      const ticked = once(connection, "ticked");
      process.nextTick(() => connection.emit("ticked"));
      await ticked;
    },
  };
}

it("lets a million characters wait with what packets take, and closes the connection at the next packet", async () => {
  const { send, behind } = openStuck();
  await send(MOST / 2 - OVERHEAD, MOST / 2 - OVERHEAD, 0);
  expect(behind).toHaveLength(0);
  await send(0);
  expect(behind).toHaveLength(1);
});

it("counts the packets before a long one only", async () => {
  const { send, behind } = openStuck();
  await send(0, 5 * MOST);
  expect(behind).toHaveLength(0);
  await send(0, 0);
  expect(behind).toHaveLength(1);
});
