/** Schemas of request and response bodies, used by server and client. */
import { z } from "zod";
import { WireErrorCode } from "./errors.ts";
import { Job } from "./job.ts";
import { Format, Quality, Tier } from "./tiers.ts";

/** Longest accepted link, in characters. */
export const MAX_LINK_LENGTH = 2_048;

/** POST /api/conversions. The link policy checks the link's length, because its error text is more helpful. */
export const CreateConversion = z.object({
  youtubeUrl: z.string(),
  format: Format.default("mp3"),
  /** Defaults to the quality of tier and format; a higher one is rejected. */
  quality: Quality.optional(),
});
export type CreateConversion = z.infer<typeof CreateConversion>;

/** POST /api/preview. */
export const PreviewRequest = z.object({
  youtubeUrl: z.string(),
  /** False leaves out the thumbnail, to save data. */
  thumbnail: z.boolean().default(true),
});

/** The expected result of a conversion to one format for the caller's tier. */
export const Estimate = z.object({
  quality: Quality,
  /** Null when the size is unknown before converting. */
  sizeBytes: z.number().int().min(0).nullable(),
  fits: z.boolean(),
  /** Why the file does not fit, or a remark on the result such as "360p to fit 50 MB". */
  note: z.string().nullable(),
});
export type Estimate = z.infer<typeof Estimate>;

/** Response of POST /api/preview: the video behind a link. No job is created. */
export const Preview = z.object({
  title: z.string(),
  /** A data: URL of a small JPEG, so that the browser contacts no video site; null without a picture. */
  thumbnail: z.string().startsWith("data:image/jpeg;base64,").nullable(),
  durationSeconds: z.number().positive().nullable(),
  estimates: z.record(Format, Estimate),
});
export type Preview = z.infer<typeof Preview>;

/** GET /api/conversions. */
export const JobList = z.array(Job);

/** GET /api/device-info. */
export const DeviceInfo = z.object({
  deviceId: z.string(),
  authenticated: z.boolean(),
  userId: z.string().nullable(),
});
export type DeviceInfo = z.infer<typeof DeviceInfo>;

/** Identity of the visitor as the server writes it into the page, in the meta element {@link VIEWER_META_NAME}. */
export const PageViewer = z.object({ tier: Tier, authenticated: z.boolean() });
export type PageViewer = z.infer<typeof PageViewer>;
export const VIEWER_META_NAME = "viewer";

/** A link to try out; offered in development only. */
export const SampleLink = z.object({ label: z.string(), url: z.string() });
export type SampleLink = z.infer<typeof SampleLink>;

/** GET /api/config. */
export const PublicConfig = z.object({
  /** Hosts whose links are accepted, each with an optional port. */
  videoHosts: z.array(z.string()),
  tier: Tier,
  signInAvailable: z.boolean(),
  paymentAvailable: z.boolean(),
  stripePublishableKey: z.string().nullable(),
  /** Replaces the URL of the payment provider's script; set only in development with the stand-in provider. */
  stripeScriptUrl: z.string().nullable(),
  sampleLinks: z.array(SampleLink),
  /** Median time from request to finished file over the last day; null while there are too few conversions. */
  usualSeconds: z.number().positive().nullable(),
});
export type PublicConfig = z.infer<typeof PublicConfig>;

/** Usage in one calendar month, UTC. GET /api/usage; pushed as `usage`. */
export const Usage = z.object({
  /** YYYY-MM. */
  month: z.string().regex(/^\d{4}-\d{2}$/),
  totalConversions: z.number().int().min(0),
  /** Bytes of finished files. */
  totalDataUsed: z.number().min(0),
});
export type Usage = z.infer<typeof Usage>;

export const Plan = z.enum(["monthly", "yearly"]);
export type Plan = z.infer<typeof Plan>;

/** A user's subscription, as far as pages and banners need it. Absent once it has ended. */
export const Subscription = z.object({
  plan: Plan,
  /** `paused`: the user has no Pro and is not charged, until support resumes the subscription. */
  status: z.enum(["active", "trialing", "past_due", "paused"]),
  /** End of the paid period. The subscription is renewed then, or ends when `cancelsAtPeriodEnd` is set. */
  periodEndsAt: z.iso.datetime(),
  cancelsAtPeriodEnd: z.boolean(),
  /** Set while a payment is overdue: the user keeps Pro until then. */
  graceEndsAt: z.iso.datetime().nullable(),
});
export type Subscription = z.infer<typeof Subscription>;

/** GET /api/auth/user; 401 when the caller is not signed in. */
export const User = z.object({
  id: z.string(),
  email: z.string(),
  /** Absent when the identity provider did not send it. */
  firstName: z.string().optional(),
  tier: Tier,
  usage: Usage,
  subscription: Subscription.nullable(),
});
export type User = z.infer<typeof User>;

/** POST /api/batch-conversions. An empty list and the tier's limit are checked later, with more helpful error texts. */
export const CreateBatch = z.object({
  urls: z.array(z.string()).max(1_000),
  format: Format.default("mp3"),
  quality: Quality.optional(),
});
export type CreateBatch = z.infer<typeof CreateBatch>;

/** A rejected line of a batch, with the reason. */
export const RefusedLine = z.object({
  /** Line number, from 1, in the order of the request. */
  line: z.number().int().min(1),
  url: z.string(),
  code: WireErrorCode,
  message: z.string(),
});
export type RefusedLine = z.infer<typeof RefusedLine>;

/** Response of POST /api/batch-conversions: the created jobs and the rejected lines. */
export const BatchAnswer = z.object({ batchId: z.string(), jobs: z.array(Job), refused: z.array(RefusedLine) });
export type BatchAnswer = z.infer<typeof BatchAnswer>;

/** The phrase that a user types to confirm the deletion of the account. */
export const DELETE_ACCOUNT_PHRASE = "delete my account";

/** DELETE /api/account. */
export const DeleteAccount = z.object({ confirmation: z.literal(DELETE_ACCOUNT_PHRASE) });
export type DeleteAccount = z.infer<typeof DeleteAccount>;

/** Why a sign-in failed: `/login?error=CODE`. */
export const SignInError = z.enum(["unavailable", "refused", "expired", "invalid", "rate_limited"]);
export type SignInError = z.infer<typeof SignInError>;

/** POST /api/create-subscription. */
export const CreateSubscription = z.object({ plan: Plan });
export type CreateSubscription = z.infer<typeof CreateSubscription>;

/** Response of POST /api/create-subscription: the secret that the browser confirms with the payment provider. */
export const SubscriptionSecret = z.object({
  clientSecret: z.string(),
  /** True when no payment is due now: the card is stored but not charged. */
  isSetupIntent: z.boolean(),
});
export type SubscriptionSecret = z.infer<typeof SubscriptionSecret>;

/** Response of POST /api/billing-portal: the page for card, invoices and cancellation. */
export const BillingPortal = z.object({ url: z.string() });
export type BillingPortal = z.infer<typeof BillingPortal>;
