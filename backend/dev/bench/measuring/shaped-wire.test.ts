import { createHash, randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { listenOnLoopback } from "../../stand-ins/sample-site/listeners.ts";
import { startShapedWire } from "./shaped-wire.ts";

const BODY = randomBytes(1_000_000);
const digest = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

async function wireTo(megabitsPerSecond: number, roundTripMs: number) {
  await using started = new AsyncDisposableStack();
  const site = await listenOnLoopback(0, (_request, response) => void response.end(BODY));
  started.defer(() => site.stop());
  const wire = await startShapedWire(site.port, { megabitsPerSecond, roundTripMs });
  started.defer(() => wire.stop());
  return { wire, origin: `http://127.0.0.1:${wire.port}`, stop: started.move() };
}

it("delivers every byte in order on several connections", async () => {
  const { wire, origin, stop } = await wireTo(400, 4);
  await using _ = stop;
  const bodies = await Promise.all([1, 2, 3].map(async () => (await fetch(origin)).bytes()));
  expect(bodies.map(digest)).toEqual([1, 2, 3].map(() => digest(BODY)));
  expect(wire.deliveredBytes).toBeGreaterThan(3 * BODY.length);
});

it("works after a reader that disconnected in the middle", async () => {
  const { origin, stop } = await wireTo(400, 4);
  await using _ = stop;
  const leaving = new AbortController();
  const answer = await fetch(origin, { signal: leaving.signal });
  await answer.body?.getReader().read();
  leaving.abort();
  expect(digest(await (await fetch(origin)).bytes())).toBe(digest(BODY));
});
