/** The schemas that the description of the API names. Answers are described as this server sends them. */
import { z } from "zod";
import * as accountCalls from "../../../common/account-calls.ts";
import * as api from "../../../common/api.ts";
import { ConversionChoices } from "../../../common/choices.ts";
import { ContactAnswer, ContactMessage } from "../../../common/contact-message.ts";
import { ErrorCode } from "../../../common/errors.ts";
import { Job } from "../../../common/job.ts";
import * as tokenCalls from "../../../common/token-calls.ts";
import * as webhookCalls from "../../../common/webhook-calls.ts";
import * as lists from "../../../common/lists.ts";
import * as operatorCalls from "../../../common/operator-calls.ts";
import * as operator from "../../../common/operator.ts";
import { FoundTags, PreviewDetails } from "../../../common/preview-details.ts";
import { Reason } from "../../../common/reasons.ts";
import { Shortfall } from "../../../common/shortfall.ts";
import { SiteFailure } from "../../../common/site-status.ts";
import { Format, Quality, Tier } from "../../../common/tiers.ts";

// Pages accept more than a server of the same build sends, so that they work with a newer one.
export const ErrorAnswer = z.object({
  code: ErrorCode,
  message: z.string(),
  reason: Reason.optional(),
  requestId: z.string().optional(),
});
const RefusedLineAnswer = api.RefusedLine.extend({ code: ErrorCode, reason: Reason.optional() });
export const BatchAnswer = api.BatchAnswer.extend({ refused: z.array(RefusedLineAnswer) });
export const SelectionAnswer = lists.SelectionAnswer.extend({ refused: z.array(RefusedLineAnswer) });
export const PreviewAnswer = api.Preview.extend({ details: PreviewDetails.optional(), tags: FoundTags.optional() });
export const SiteStatusAnswer = z.object({ failing: z.array(SiteFailure) });
export const Jobs = z.array(Job);
export const ChangedJobs = z.object({ jobs: Jobs });
export const Done = z.object({ success: z.literal(true) });
export const Received = z.object({ received: z.literal(true) });
export const Nothing = z.object({});

/** By the name that the document gives them. */
export const NAMED_SCHEMAS = {
  BatchAnswer,
  BillingPortal: accountCalls.BillingPortal,
  ChangedJobs,
  Choices: ConversionChoices,
  ContactAnswer,
  ContactMessage,
  CreateBatch: api.CreateBatch,
  CreateConversion: api.CreateConversion,
  CreateSelection: lists.CreateSelection,
  CreatedToken: tokenCalls.CreatedToken,
  CreateToken: tokenCalls.CreateToken,
  CreatedWebhook: webhookCalls.CreatedWebhook,
  CreateSubscription: accountCalls.CreateSubscription,
  CreateWebhook: webhookCalls.CreateWebhook,
  DeleteAccount: accountCalls.DeleteAccount,
  DeviceInfo: api.DeviceInfo,
  Done,
  Error: ErrorAnswer,
  ErrorCode,
  Estimate: api.Estimate,
  FindAccounts: operatorCalls.FindAccounts,
  Format,
  FoundAccounts: operatorCalls.FoundAccounts,
  Job,
  JobMessage: webhookCalls.JobMessage,
  ListEntry: lists.ListEntry,
  ListPage: lists.ListPage,
  ListRequest: lists.ListRequest,
  Nothing,
  OperatorAct: operatorCalls.OperatorAct,
  OperatorHistory: operator.OperatorHistory,
  OperatorRecords: operator.OperatorRecords,
  OperatorState: operator.OperatorState,
  Preview: PreviewAnswer,
  PreviewRequest: api.PreviewRequest,
  PublicConfig: api.PublicConfig,
  Quality,
  Reason,
  Received,
  RefusedLine: RefusedLineAnswer,
  SelectionAnswer,
  Shortfall,
  SiteStatus: SiteStatusAnswer,
  Subscription: api.Subscription,
  SubscriptionSecret: accountCalls.SubscriptionSecret,
  TestMessage: webhookCalls.TestMessage,
  Tier,
  Token: tokenCalls.Token,
  TokenList: tokenCalls.TokenList,
  TokenScope: tokenCalls.TokenScope,
  Usage: api.Usage,
  User: api.User,
  Webhook: webhookCalls.Webhook,
  WebhookDelivery: webhookCalls.WebhookDelivery,
  WebhookList: webhookCalls.WebhookList,
} as const satisfies Record<string, z.ZodType>;
