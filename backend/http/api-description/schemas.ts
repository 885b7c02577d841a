/** Schemas and answers of several calls. They are described as this server sends them. */
import { z } from "zod";
import { Done } from "../../../common/account-calls.ts";
import { Estimate, RefusedLine, Subscription } from "../../../common/api.ts";
import { ConversionChoices } from "../../../common/choices.ts";
import { ErrorCode } from "../../../common/errors.ts";
import { Job } from "../../../common/job.ts";
import { ListEntry } from "../../../common/lists.ts";
import { Reason } from "../../../common/reasons.ts";
import { Shortfall } from "../../../common/shortfall.ts";
import { Format, Quality, Tier } from "../../../common/tiers.ts";
import { Token, TokenScope } from "../../../common/token-calls.ts";
import { JobMessage, TestMessage } from "../../../common/webhook-calls.ts";
import type { Answer } from "./call.ts";

// Pages accept more than a server of the same build sends, so that they work with a newer one.
export const ErrorAnswer = z.object({
  code: ErrorCode,
  message: z.string(),
  reason: Reason.optional(),
  requestId: z.string().optional(),
});
export const RefusedLineAnswer = RefusedLine.extend({ code: ErrorCode, reason: Reason.optional() });
/** Of an answer whose fields are not promised. */
export const Nothing = z.object({});

export const jobAnswer = (description: string, example: Job): Answer => ({ description, schema: Job, example });
export const doneAnswer = (description: string): Answer => ({ description, schema: Done, example: { success: true } });

/** Parts of other schemas, and what calls of several files answer, by the name that the document gives them. */
export const SHARED_SCHEMAS = {
  Choices: ConversionChoices,
  Done,
  Error: ErrorAnswer,
  ErrorCode,
  Estimate,
  Format,
  Job,
  JobMessage,
  ListEntry,
  Nothing,
  Quality,
  Reason,
  RefusedLine: RefusedLineAnswer,
  Shortfall,
  Subscription,
  TestMessage,
  Tier,
  Token,
  TokenScope,
} as const satisfies Record<string, z.ZodType>;
