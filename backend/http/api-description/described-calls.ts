/** What every call of the API takes and answers. A test compares the list with the routes that exist. */
import type { z } from "zod";
import * as accountCalls from "../../../common/account-calls.ts";
import * as api from "../../../common/api.ts";
import { ContactAnswer, ContactMessage } from "../../../common/contact-message.ts";
import { ConversionErrorCode, type ErrorCode } from "../../../common/errors.ts";
import { Job } from "../../../common/job.ts";
import { CreatedToken, CreateToken, TokenList, type TokenScope } from "../../../common/token-calls.ts";
import * as webhookCalls from "../../../common/webhook-calls.ts";
import * as lists from "../../../common/lists.ts";
import { DESCRIBED_OPERATOR_CALLS } from "./described-operator-calls.ts";
import { CONTENT_TYPES } from "../files/finished-file.ts";
import { COMPLETED_JOB, EXAMPLES, QUEUED_JOB } from "./examples.ts";
import * as parameters from "./parameters.ts";
import * as schemas from "./schemas.ts";

export interface DescribedContent {
  readonly schema: z.ZodType;
  readonly example: unknown;
  /** More examples, by what they show. */
  readonly moreExamples?: Readonly<Record<string, unknown>>;
}

export interface DescribedAnswer extends Partial<DescribedContent> {
  readonly description: string;
  /** Of an answer that is no JSON: the types that it may have. */
  readonly mediaTypes?: readonly string[];
  /** What headers of the answer say, by their names. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface DescribedCall {
  readonly group:
    "Conversions" | "Links and lists" | "Batches" | "This site" | "Account" | "Payment" | "Contact" | "Operator";
  readonly summary: string;
  readonly description?: string;
  readonly request?: DescribedContent;
  /** The query parameters. Calls are judged by this, and routes see no others. */
  readonly query?: z.ZodObject;
  /** Headers that change the answer, by their names in lower case. Calls are judged by this. */
  readonly headers?: z.ZodObject;
  /** Only an account may call it. */
  readonly isForAccounts?: true;
  /** The scope that a token needs; "any": all tokens may call it. Without it, none may. */
  readonly tokens?: TokenScope | "any";
  /** May be sent again with the same `Idempotency-Key`. */
  readonly isRepeatable?: true;
  /** By status. */
  readonly answers: Readonly<Record<number, DescribedAnswer>>;
  /** Codes beside those of every call; see {@link errorsOf}. */
  readonly errors?: readonly ErrorCode[];
}

/** A link may be refused for any of these before its conversion begins. */
const LINK_ERRORS: readonly ErrorCode[] = ["invalid_link", "unsupported_host", "playlist", "private", "blocked"];
const READ_ERRORS: readonly ErrorCode[] = [...ConversionErrorCode.options, "rate_limited"];
const QUEUE_ERRORS: readonly ErrorCode[] = ["rate_limited", "network_busy", "queue_full", "conflict", "pro_required"];

/** Without the character set. */
const FILE_TYPES = [...new Set(Object.values(CONTENT_TYPES).map((type) => type.replace(/;.*/, "")))];

const SENT_RANGE = { "Content-Range": "Which bytes these are, and of how many: `bytes 0-499/1234`" };
const NO_RANGE = { "Content-Range": "How many bytes there are: `bytes */1234`" };

const job = (description: string, example: Job): DescribedAnswer => ({ description, schema: Job, example });
const done = (description: string): DescribedAnswer => ({
  description,
  schema: schemas.Done,
  example: EXAMPLES.done,
});

export const DESCRIBED_CALLS: Readonly<Record<string, DescribedCall>> = {
  "POST /api/preview": {
    group: "Links and lists",
    summary: "Look at a link",
    tokens: "convert",
    description: "Tells title, length and what each format would be, without converting anything.",
    request: { schema: api.PreviewRequest, example: EXAMPLES.previewRequest },
    answers: { 200: { description: "The video", schema: schemas.PreviewAnswer, example: EXAMPLES.preview } },
    errors: READ_ERRORS,
  },
  "POST /api/lists": {
    group: "Links and lists",
    summary: "Read a page of a playlist, channel, album or podcast",
    tokens: "convert",
    description: "Ask for the next page with the `next` of the last one as `offset`.",
    request: { schema: lists.ListRequest, example: EXAMPLES.listRequest },
    answers: { 200: { description: "A page of entries", schema: lists.ListPage, example: EXAMPLES.listPage } },
    errors: READ_ERRORS,
  },
  "GET /api/conversions": {
    group: "Conversions",
    summary: "List the caller's jobs, newest first",
    tokens: "read",
    description: "All active jobs, and the newest 200 of the others.",
    answers: { 200: { description: "The jobs", schema: schemas.Jobs, example: EXAMPLES.jobs } },
  },
  "POST /api/conversions": {
    group: "Conversions",
    summary: "Convert a link",
    description:
      "The answer shows the job as it was asked for. Where the file is stored already, such as after the same request " +
      "before, the job is completed by then, and its end is told at once.",
    tokens: "convert",
    request: {
      schema: api.CreateConversion,
      example: EXAMPLES.createConversion,
      moreExamples: EXAMPLES.createWithChoices,
    },
    isRepeatable: true,
    answers: { 201: job("The queued job", QUEUED_JOB) },
    errors: [...LINK_ERRORS, ...QUEUE_ERRORS],
  },
  "GET /api/events": {
    group: "Conversions",
    summary: "Follow the caller's jobs by server-sent events",
    description:
      "`snapshot` has all jobs, and comes first; then each change of a job as `job`, `job:removed`, and `usage`, " +
      "`identity` and `sites` as for pages. Come back with `Last-Event-ID`: what was missed comes before the snapshot, " +
      "if it is still known. Of one job at most five changes are sent in a second.",
    tokens: "read",
    headers: parameters.EventHeaders,
    answers: { 200: { description: "The stream", mediaTypes: ["text/event-stream"] } },
    errors: ["bad_request", "network_busy", "rate_limited"],
  },
  "GET /api/conversions/:id": {
    group: "Conversions",
    summary: "Read a job",
    tokens: "read",
    answers: { 200: job("The job as it is now", COMPLETED_JOB) },
    errors: ["not_found"],
  },
  "DELETE /api/conversions/:id": {
    group: "Conversions",
    summary: "Cancel an active job, or remove an ended one with its file",
    tokens: "convert",
    query: parameters.RemovalQuery,
    answers: { 200: job("The canceled job", { ...QUEUED_JOB, status: "canceled" }), 204: { description: "Removed" } },
    errors: ["not_found", "conflict"],
  },
  "POST /api/conversions/:id/retry": {
    group: "Conversions",
    summary: "Queue a failed or canceled job again",
    tokens: "convert",
    answers: { 200: job("The queued job", { ...QUEUED_JOB, attempt: 2 }) },
    errors: ["not_found", "blocked", ...QUEUE_ERRORS],
  },
  "GET /api/conversions/:id/file": {
    group: "Conversions",
    summary: "Download the file of a job",
    tokens: "download",
    description:
      "With a store in the cloud the answer may be a redirect to it. An MP3 or MP4 can be downloaded while it " +
      "is made, as soon as the job that is processing has a `downloadUrl`: the answer sends what is there and then what " +
      "comes. It has a length only where that is sure, and its connection is cut if the job does not complete. It goes " +
      "on by `Range` with its `ETag` in `If-Range` or `If-Match`; a range whose answer depends on an unknown size waits " +
      "for the end, or gets the whole file. That form may be another one than the kept file, which has another `ETag`: " +
      "the MP3 has a provisional header with the expected length, and the MP4 may be in fragments. Without a " +
      "`downloadUrl` the answer is `not_found`.",
    headers: parameters.FileHeaders,
    answers: {
      200: { description: "The file", mediaTypes: FILE_TYPES },
      206: { description: "A range of the file", mediaTypes: FILE_TYPES, headers: SENT_RANGE },
      302: { description: "Where the file is" },
      304: { description: "The file has not changed" },
      412: { description: "The file is another one than that of `If-Match`" },
      416: { description: "The file has no such range", headers: NO_RANGE },
    },
    errors: ["not_found", "blocked", "rate_limited"],
  },
  "GET /api/conversions/:id/thumbnail": {
    group: "Conversions",
    summary: "Download the picture of a job",
    tokens: "read",
    headers: parameters.FileHeaders,
    answers: {
      200: { description: "The picture", mediaTypes: ["image/jpeg"] },
      206: { description: "A range of the picture", mediaTypes: ["image/jpeg"], headers: SENT_RANGE },
      302: { description: "Where the picture is" },
      304: { description: "The picture has not changed" },
      412: { description: "The picture is another one than that of `If-Match`" },
      416: { description: "The picture has no such range", headers: NO_RANGE },
    },
    errors: ["not_found", "blocked"],
  },
  "POST /api/batch-conversions": {
    group: "Batches",
    summary: "Convert up to 20 links together",
    tokens: "convert",
    description: "Each link is checked on its own. Pro only.",
    request: { schema: api.CreateBatch, example: EXAMPLES.createBatch },
    isRepeatable: true,
    answers: {
      201: { description: "The queued jobs", schema: schemas.BatchAnswer, example: EXAMPLES.batch },
    },
    errors: ["invalid_link", ...QUEUE_ERRORS],
  },
  "POST /api/selections": {
    group: "Batches",
    summary: "Convert what was chosen from a list",
    tokens: "convert",
    description:
      "Up to 5,000 links. The first 20 are queued at once, and more whenever few of them are left. All jobs have the " +
      "same `batchId`. Pro only.",
    request: { schema: lists.CreateSelection, example: EXAMPLES.createSelection },
    isRepeatable: true,
    answers: {
      201: { description: "The first jobs", schema: schemas.SelectionAnswer, example: EXAMPLES.selection },
    },
    errors: ["invalid_link", "sign_in_required", ...QUEUE_ERRORS],
  },
  "DELETE /api/batch-conversions/:id": {
    group: "Batches",
    summary: "Cancel the active jobs of a batch, and what waits of a selection",
    tokens: "convert",
    answers: {
      200: { description: "The canceled jobs", schema: schemas.ChangedJobs, example: EXAMPLES.canceledJobs },
    },
    errors: ["not_found"],
  },
  "POST /api/batch-conversions/:id/retry": {
    group: "Batches",
    summary: "Queue the failed and canceled jobs of a batch again",
    tokens: "convert",
    answers: {
      200: { description: "The queued jobs", schema: schemas.ChangedJobs, example: EXAMPLES.retriedJobs },
    },
    errors: ["not_found", ...QUEUE_ERRORS],
  },
  "GET /api/batch-conversions/:id/zip": {
    group: "Batches",
    summary: "Download all files of a batch as one ZIP",
    tokens: "download",
    answers: { 200: { description: "The ZIP", mediaTypes: ["application/zip"] } },
    errors: ["not_found", "rate_limited"],
  },
  "GET /api/config": {
    group: "This site",
    summary: "What this site accepts and offers",
    tokens: "any",
    answers: { 200: { description: "The settings", schema: api.PublicConfig, example: EXAMPLES.config } },
  },
  "GET /api/device-info": {
    group: "This site",
    summary: "Who the caller is",
    description: "The first call sets the cookie that names the device.",
    answers: { 200: { description: "The device", schema: api.DeviceInfo, example: EXAMPLES.deviceInfo } },
  },
  "GET /api/site-status": {
    group: "This site",
    summary: "Which video sites fail for most visitors",
    tokens: "any",
    answers: {
      200: { description: "The failing sites", schema: schemas.SiteStatusAnswer, example: EXAMPLES.siteStatus },
    },
  },
  "GET /api/openapi.json": {
    group: "This site",
    summary: "This description",
    tokens: "any",
    answers: { 200: { description: "An OpenAPI 3.1 document", schema: schemas.Nothing, example: {} } },
  },
  "GET /api/usage": {
    group: "Account",
    summary: "The caller's usage in this month",
    tokens: "read",
    answers: { 200: { description: "The usage", schema: api.Usage, example: EXAMPLES.usage } },
  },
  "GET /api/auth/user": {
    group: "Account",
    summary: "The signed-in user",
    tokens: "read",
    isForAccounts: true,
    answers: { 200: { description: "The user", schema: api.User, example: EXAMPLES.user } },
  },
  "GET /api/tokens": {
    group: "Account",
    summary: "List the tokens of the account",
    isForAccounts: true,
    answers: { 200: { description: "The tokens, newest first", schema: TokenList, example: EXAMPLES.tokens } },
  },
  "POST /api/tokens": {
    group: "Account",
    summary: "Make a token",
    description: "The answer has the secret, which cannot be read again. The free plan has one token, Pro has 20.",
    isForAccounts: true,
    request: { schema: CreateToken, example: EXAMPLES.createToken },
    answers: { 201: { description: "The token", schema: CreatedToken, example: EXAMPLES.createdToken } },
    errors: ["rate_limited", "conflict"],
  },
  "DELETE /api/tokens/:id": {
    group: "Account",
    summary: "Revoke a token",
    isForAccounts: true,
    answers: { 204: { description: "Revoked" } },
    errors: ["not_found"],
  },
  "GET /api/webhooks": {
    group: "Account",
    summary: "List the webhooks of the account with their last messages",
    isForAccounts: true,
    answers: {
      200: { description: "The webhooks, newest first", schema: webhookCalls.WebhookList, example: EXAMPLES.webhooks },
    },
  },
  "POST /api/webhooks": {
    group: "Account",
    summary: "Make a webhook",
    description:
      "The answer has the secret that signs the messages, which cannot be read again. The free plan has one webhook, Pro has " +
      "10. What they get is under `webhooks`.",
    isForAccounts: true,
    request: { schema: webhookCalls.CreateWebhook, example: EXAMPLES.createWebhook },
    answers: {
      201: { description: "The webhook", schema: webhookCalls.CreatedWebhook, example: EXAMPLES.createdWebhook },
    },
    errors: ["rate_limited", "conflict"],
  },
  "POST /api/webhooks/:id/test": {
    group: "Account",
    summary: "Send a test message to a webhook",
    description: "Waits for the answer, and does not repeat the message.",
    isForAccounts: true,
    answers: {
      200: { description: "What came of it", schema: webhookCalls.WebhookDelivery, example: EXAMPLES.testDelivery },
    },
    errors: ["rate_limited", "not_found"],
  },
  "POST /api/webhooks/:id/enable": {
    group: "Account",
    summary: "Turn a webhook on again",
    isForAccounts: true,
    answers: { 200: { description: "The webhook", schema: webhookCalls.Webhook, example: EXAMPLES.webhook } },
    errors: ["not_found"],
  },
  "DELETE /api/webhooks/:id": {
    group: "Account",
    summary: "Remove a webhook",
    isForAccounts: true,
    answers: { 204: { description: "Removed" } },
    errors: ["not_found"],
  },
  "GET /api/login": {
    group: "Account",
    summary: "Begin a sign-in",
    description: "For browsers: redirects to the identity provider, and from there back to this site.",
    query: parameters.SignInQuery,
    answers: { 302: { description: "Where the sign-in goes on" } },
    errors: ["rate_limited"],
  },
  "GET /api/sign-in/provider/callback": {
    group: "Account",
    summary: "Where the identity provider sends the browser back to",
    query: parameters.SignInAnswer,
    answers: { 302: { description: "The page after the sign-in, or the one that says why it failed" } },
  },
  "GET /api/logout": {
    group: "Account",
    summary: "Sign out by a link of our pages",
    description: "For browsers: a program signs out by POST.",
    answers: { 200: done("Signed out"), 302: { description: "Signed out; the home page" } },
    errors: ["bad_origin"],
  },
  "POST /api/logout": { group: "Account", summary: "Sign out", answers: { 200: done("Signed out") } },
  "POST /api/logout-everywhere": {
    group: "Account",
    summary: "End all sessions of the account",
    isForAccounts: true,
    answers: { 200: done("Signed out everywhere") },
  },
  "GET /api/account/export": {
    group: "Account",
    summary: "Download all stored data about the account",
    isForAccounts: true,
    answers: { 200: { description: "The data", schema: schemas.Nothing, example: {} } },
    errors: ["rate_limited"],
  },
  "DELETE /api/account": {
    group: "Account",
    summary: "Delete the account with its jobs and files",
    isForAccounts: true,
    request: { schema: accountCalls.DeleteAccount, example: EXAMPLES.deleteAccount },
    answers: { 200: done("Deleted") },
    errors: ["rate_limited", "fresh_sign_in_required"],
  },
  "POST /api/create-subscription": {
    group: "Payment",
    summary: "Begin to pay for Pro",
    isForAccounts: true,
    request: { schema: accountCalls.CreateSubscription, example: EXAMPLES.createSubscription },
    answers: {
      200: {
        description: "The secret with which the browser confirms the payment",
        schema: accountCalls.SubscriptionSecret,
        example: EXAMPLES.subscriptionSecret,
      },
    },
    errors: ["rate_limited", "already_subscribed", "payment_unconfigured", "payment_provider"],
  },
  "POST /api/billing-portal": {
    group: "Payment",
    summary: "Open the page for card, invoices and cancellation",
    isForAccounts: true,
    answers: {
      200: { description: "Where it is", schema: accountCalls.BillingPortal, example: EXAMPLES.billingPortal },
    },
    errors: ["rate_limited", "not_found", "conflict", "payment_unconfigured", "payment_provider"],
  },
  "POST /api/stripe-webhook": {
    group: "Payment",
    summary: "Messages of the payment provider, signed by it",
    answers: { 200: { description: "Stored", schema: schemas.Received, example: EXAMPLES.received } },
    errors: ["payment_unconfigured"],
  },
  "POST /api/contact": {
    group: "Contact",
    summary: "Write to the operator of this site",
    request: { schema: ContactMessage, example: EXAMPLES.contactMessage },
    answers: {
      200: { description: "The mail server has it", schema: ContactAnswer, example: EXAMPLES.contactAnswer },
    },
    errors: ["rate_limited", "message_not_sent"],
  },
  ...DESCRIBED_OPERATOR_CALLS,
};

const EVERY_CALL: readonly ErrorCode[] = [
  "access_blocked",
  "invalid_token",
  "missing_scope",
  "pro_required",
  "internal",
  "unavailable_now",
];
const CALLS_THAT_CHANGE: readonly ErrorCode[] = ["bad_request", "bad_origin", "payload_too_large"];

/** @param route such as "POST /api/preview" @returns all codes that the call may answer with, each once */
export function errorsOf(route: string, { errors = [], isForAccounts }: DescribedCall): ErrorCode[] {
  const isChange = !route.startsWith("GET ");
  return [
    ...new Set<ErrorCode>([
      ...errors,
      ...(isForAccounts ? (["sign_in_required"] as const) : []),
      ...(isChange ? CALLS_THAT_CHANGE : []),
      ...EVERY_CALL,
    ]),
  ];
}
