/** All calls of the API, in the order of the OpenAPI document. A test compares them with the routes that exist. */
import type { Call } from "../api-description/call.ts";
import { ACCOUNT_CALLS } from "./account-routes.ts";
import { API_DOCUMENT_CALLS } from "./api-document-routes.ts";
import { BATCH_CALLS } from "./batch-calls.ts";
import { BILLING_CALLS } from "./billing-routes.ts";
import { CONTACT_CALLS } from "./contact-routes.ts";
import { CONVERSION_CALLS } from "./conversion-calls.ts";
import { CUT_CALLS } from "./cut-routes.ts";
import { EVENT_CALLS } from "./event-routes.ts";
import { FEED_CALLS } from "./feed-routes.ts";
import { FILE_LINK_CALLS } from "./file-link-routes.ts";
import { FOLLOW_CALLS } from "./follow-routes.ts";
import { LIST_CALLS } from "./list-routes.ts";
import { OPERATOR_CALLS } from "./operator-calls.ts";
import { PREVIEW_CALLS } from "./preview-routes.ts";
import { SELECTION_CALLS } from "./selection-routes.ts";
import { SIGN_IN_CALLS } from "./sign-in-calls.ts";
import { SITE_CALLS } from "./site-routes.ts";
import { TOKEN_CALLS } from "./token-routes.ts";
import { USAGE_CALLS } from "./usage-routes.ts";
import { WEBHOOK_CALLS } from "./webhook-calls.ts";

export const CALLS: readonly Call[] = [
  PREVIEW_CALLS,
  LIST_CALLS,
  CONVERSION_CALLS,
  CUT_CALLS,
  FILE_LINK_CALLS,
  EVENT_CALLS,
  BATCH_CALLS,
  SELECTION_CALLS,
  FOLLOW_CALLS,
  SITE_CALLS,
  API_DOCUMENT_CALLS,
  USAGE_CALLS,
  TOKEN_CALLS,
  FEED_CALLS,
  WEBHOOK_CALLS,
  SIGN_IN_CALLS,
  ACCOUNT_CALLS,
  BILLING_CALLS,
  CONTACT_CALLS,
  OPERATOR_CALLS,
].flatMap((calls) => Object.values<Call>(calls));
