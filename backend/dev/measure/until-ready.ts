/** Waits until a server process that was just started is ready. */
import { setTimeout as wait } from "node:timers/promises";

const POLL_MS = 100;

export interface StartedServer {
  readonly exitCode: number | null;
}

/**
 * Waits until the server answers `/readyz` with 200.
 * @param options.hint appended to the error's message
 * @throws Error when the process has ended, or after `timeoutMs`
 */
export async function untilReady(
  server: StartedServer,
  origin: string,
  { timeoutMs = Infinity, hint = "" }: { readonly timeoutMs?: number; readonly hint?: string } = {},
): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs;
  while (!(await isReady(origin))) {
    if (server.exitCode !== null || performance.now() > deadlineMs) throw new Error(`the server did not start${hint}`);
    await wait(POLL_MS);
  }
}

/** Whether a server answers `/readyz` with 200; false when it does not listen. */
export async function isReady(origin: string): Promise<boolean> {
  try {
    const answer = await fetch(`${origin}/readyz`);
    return answer.ok;
  } catch {
    return false;
  }
}
