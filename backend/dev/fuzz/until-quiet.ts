/** Waits until the server has nothing to do, and measures it then. */
import { setTimeout as wait } from "node:timers/promises";
import type { ServerUnderFuzz, Vitals } from "./server-under-fuzz.ts";

/** Sessions of long polling end after the interval and the time limit of pings, together 18 s. */
const QUIET_TIMEOUT_MS = 60_000;
const LOOK_MS = 2_000;

/**
 * Measures until no visitor is connected and two measurements agree in their descriptors.
 * @returns the last measurement, also when the time is over
 * @throws Error when the server has ended
 */
export async function untilQuiet(server: ServerUnderFuzz): Promise<Vitals> {
  const deadlineMs = Date.now() + QUIET_TIMEOUT_MS;
  let last: Vitals | undefined;
  for (;;) {
    if (server.hasEnded()) throw new Error(`the server has ended:\n${server.errors.join("\n")}`);
    const now = await server.measure();
    const isQuiet = now.connections === 0 && now.sockets === 0 && last?.descriptors === now.descriptors;
    if (isQuiet || Date.now() > deadlineMs) return now;
    last = now;
    await wait(LOOK_MS);
  }
}
