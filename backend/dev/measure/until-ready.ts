/** Waiting for a server of ours that was just started. */
import { setTimeout as wait } from "node:timers/promises";

const LOOK_MS = 100;

export interface StartedServer {
  readonly exitCode: number | null;
}

/** Resolves when it answers `/readyz` with 200. Throws an Error saying `hint` when it has ended before, or takes longer than `timeoutMs`. */
export async function untilReady(server: StartedServer, origin: string, { timeoutMs = Infinity, hint = "" }: { readonly timeoutMs?: number; readonly hint?: string } = {}): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs;
  const isReady = (): Promise<boolean> => fetch(`${origin}/readyz`).then(({ ok }) => ok, () => false);
  // oxlint-disable no-await-in-loop -- one look after the other
  while (!(await isReady())) {
    if (server.exitCode !== null || performance.now() > deadlineMs) throw new Error(`the server did not start${hint}`);
    await wait(LOOK_MS);
  }
  // oxlint-enable no-await-in-loop
}
