/** What webhooks get, as the OpenAPI document describes it. */
import { SENTENCES } from "../../../common/errors.ts";
import { JobMessage, SIGNATURE_HEADER, TestMessage, type WebhookMessageType } from "../../../common/webhook-calls.ts";
import type { Content } from "./call.ts";
import { COMPLETED_JOB, QUEUED_JOB } from "./examples.ts";

const JOB_MESSAGE: JobMessage = {
  id: `${QUEUED_JOB.id}.1`,
  type: "job.completed",
  createdAt: COMPLETED_JOB.updatedAt,
  job: COMPLETED_JOB,
};

const FAILED_MESSAGE: JobMessage = {
  ...JOB_MESSAGE,
  type: "job.failed",
  job: { ...QUEUED_JOB, status: "failed", error: { code: "private", message: SENTENCES.private } },
};

const TEST_MESSAGE: TestMessage = {
  id: "0d8a5f0e-71c3-4a1c-9d55-0a6c1d1f3b77",
  type: "test",
  createdAt: "2026-01-15T09:31:00.000Z",
};

/** Examples by type. */
export const MESSAGES = { "job.completed": JOB_MESSAGE, "job.failed": FAILED_MESSAGE, test: TEST_MESSAGE } as const;

const SUMMARIES: Readonly<Record<WebhookMessageType, string>> = {
  "job.completed": "A job has been completed",
  "job.failed": "A job has failed",
  test: "Somebody has pressed the test button of the dashboard",
};

const ABOUT_MESSAGES = `Sent to each webhook of the account, by POST. Answer with 2xx within 10 seconds, and work on it afterwards. Any other
answer, a redirect too, and none at all count as failures: the message is sent again after 5 seconds, 10 seconds and so on,
at most an hour apart, for a day. An answer of 410 turns the webhook off, and so does a day of failures.

A message may come more than once, and later ones may come before it: keep the \`id\` of those you have worked on.`;

/** The parameter of every message. */
const SIGNATURE = {
  name: SIGNATURE_HEADER,
  in: "header",
  required: true,
  description:
    "`t=SECONDS,v1=HEX`: the HMAC-SHA256, with the webhook's secret as its key, of `SECONDS.` and the body as it came. " +
    "It is the format of Stripe, so that its libraries can check it. Refuse messages that are minutes old.",
  schema: { type: "string" },
};

/**
 * @param idOf makes the id of an operation from a few words
 * @param contentOf describes a body
 * @returns the messages by type
 */
export function describeMessages(
  idOf: (words: string) => string,
  contentOf: (content: Content) => object,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(MESSAGES).map(([type, example]) => [
      type,
      {
        post: {
          operationId: idOf(`message ${type}`),
          summary: SUMMARIES[example.type],
          description: ABOUT_MESSAGES,
          parameters: [SIGNATURE],
          requestBody: {
            required: true,
            content: contentOf({ schema: example.type === "test" ? TestMessage : JobMessage, example }),
          },
          responses: {
            "2XX": { description: "Taken" },
            410: { description: "No more messages are wanted; the webhook is turned off" },
          },
        },
      },
    ]),
  );
}
