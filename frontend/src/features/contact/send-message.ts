import { ContactAnswer } from "../../../../common/contact-message.ts";
import { ApiError, sentenceFor } from "../../api/errors.ts";
import { HttpClient } from "../../api/http-client.ts";
import type { Draft } from "./check.ts";

/** Why a message was not sent. */
export type Failure =
  | { readonly kind: "failed" | "offline" }
  | { readonly kind: "limited"; readonly waitMinutes: number }
  /** The server's sentence says more. */
  | { readonly kind: "refused"; readonly sentence: string };

const client = new HttpClient("");

/** @returns null when the operator's mail server has accepted the message */
export async function sendMessage(draft: Draft): Promise<Failure | null> {
  try {
    // Sent once: a message whose answer was lost may have arrived. It is finished when the visitor leaves the page.
    const call = { method: "POST", body: draft, isSentOnce: true, keepalive: true } as const;
    await client.call("/api/contact", ContactAnswer, call);
    return null;
  } catch (error) {
    // Without an answer from the network.
    if (error instanceof TypeError) return { kind: "offline" };
    if (!(error instanceof ApiError)) throw error;
    return failureOf(error);
  }
}

function failureOf(error: ApiError): Failure {
  const reason = error.body?.reason;
  if (reason?.name === "too_many_requests")
    return { kind: "limited", waitMinutes: Math.ceil(reason.retryAfterSeconds / 60) };
  if (error.code === undefined || error.code === "message_not_sent") return { kind: "failed" };
  return { kind: "refused", sentence: sentenceFor(error, "") };
}
