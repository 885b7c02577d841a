/** Sends messages to addresses of users, through the egress guard. Answers are not read beyond their status. */
import { Agent, fetch } from "undici";
import type { HostEntry } from "../../common/hosts.ts";
import { privateHostOf } from "../domain/webhooks/address.ts";
import type { SendMessage } from "../domain/webhooks/deliver.ts";
import type { EgressGuard } from "../pipeline/guard/egress-guard.ts";

/** Status and headers, and what arrives of the body before the connection is closed. */
const MAX_ANSWER_BYTES = 256_000;

/**
 * @param timeoutMs how long a program may take to answer
 * @param privateHosts see `Domain`
 */
export function createWebhookSender(
  guard: EgressGuard,
  timeoutMs: number,
  privateHosts: readonly HostEntry[] = [],
): SendMessage {
  return async ({ url, body, headers }, signal) => {
    const { host, port } = privateHostOf(new URL(url), privateHosts) ?? {};
    using session = guard.open(
      MAX_ANSWER_BYTES,
      host !== undefined && port !== undefined ? { operatorsHost: { host, port } } : { isPublicOnly: true },
    );
    const agent = new Agent({ connect: session.connect });
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const answer = await fetch(url, {
        method: "POST",
        body,
        headers,
        // A redirect counts as a failure: the user named another address.
        redirect: "manual",
        dispatcher: agent,
        signal: AbortSignal.any([timeout, session.exceeded, ...(signal ? [signal] : [])]),
      });
      await answer.body?.cancel();
      return { status: answer.status };
    } catch (error) {
      signal?.throwIfAborted();
      if (session.refusals.length > 0 || session.exceeded.aborted) return { problem: "refused_address" };
      if (timeout.aborted) return { problem: "too_slow" };
      // What `fetch` throws whenever a connection fails.
      if (error instanceof TypeError) return { problem: "no_connection" };
      throw error;
    } finally {
      await agent.destroy();
    }
  };
}
