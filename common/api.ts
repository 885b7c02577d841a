/** The shapes that calls take and answer with, for both sides of the wire. */
import { z } from "zod";
import { ErrorCode } from "./errors.ts";
import { Job } from "./job.ts";
import { Format, Quality, Tier } from "./tiers.ts";

/** The longest link anybody may send. */
export const MAX_LINK_LENGTH = 2_048;

/** POST /api/conversions. The length is the link policy's to judge, with a better sentence. */
export const CreateConversion = z.object({
  youtubeUrl: z.string(),
  format: Format.default("mp3"),
  /** Follows from tier and format; a request for more is refused. */
  quality: Quality.optional(),
});
export type CreateConversion = z.infer<typeof CreateConversion>;

/** POST /api/preview. */
export const PreviewRequest = z.object({
  youtubeUrl: z.string(),
  /** False spares the picture, for whoever saves data. */
  thumbnail: z.boolean().default(true),
});

/** What a conversion to one format would come to for the caller's tier. */
export const Estimate = z.object({
  quality: Quality,
  /** Null: it cannot be told before converting. */
  sizeBytes: z.number().int().min(0).nullable(),
  fits: z.boolean(),
  /** Why it does not fit, or a remark on the result such as "360p to fit 50 MB". */
  note: z.string().nullable(),
});
export type Estimate = z.infer<typeof Estimate>;

/** The answer to POST /api/preview: what a link leads to. No job is made. */
export const Preview = z.object({
  title: z.string(),
  /** A data: address of a small JPEG; null when there is none. The browser contacts no video site. */
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

/** Who the server takes the caller of a page for, written into the page under {@link VIEWER_META_NAME}. */
export const PageViewer = z.object({ tier: Tier, authenticated: z.boolean() });
export type PageViewer = z.infer<typeof PageViewer>;
export const VIEWER_META_NAME = "viewer";

/** A link to try without looking for one; offered in development only. */
export const SampleLink = z.object({ label: z.string(), url: z.string() });
export type SampleLink = z.infer<typeof SampleLink>;

/** GET /api/config. */
export const PublicConfig = z.object({
  /** Hosts whose links are accepted, each perhaps with a port. */
  videoHosts: z.array(z.string()),
  tier: Tier,
  signInAvailable: z.boolean(),
  paymentAvailable: z.boolean(),
  stripePublishableKey: z.string().nullable(),
  /** Loaded in place of the provider's own script; set in development with its stand-in only. */
  stripeScriptUrl: z.string().nullable(),
  sampleLinks: z.array(SampleLink),
  /**
   * Half of the last day's conversions were ready sooner than this, waiting included; null while there are too few to
   * tell.
   */
  usualSeconds: z.number().positive().nullable(),
});
export type PublicConfig = z.infer<typeof PublicConfig>;

/** What was used in one calendar month, UTC. GET /api/usage; pushed as `usage`. */
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

/** Somebody's subscription, as far as its page and banners need it. Absent once it has ended. */
export const Subscription = z.object({
  plan: Plan,
  /** `paused`: it is worth nothing for now and is not charged, until support lets it go on. */
  status: z.enum(["active", "trialing", "past_due", "paused"]),
  /** When the paid period ends: renewed then, or over when `cancelsAtPeriodEnd`. */
  periodEndsAt: z.iso.datetime(),
  cancelsAtPeriodEnd: z.boolean(),
  /** While a payment is overdue: Pro is kept until then. */
  graceEndsAt: z.iso.datetime().nullable(),
});
export type Subscription = z.infer<typeof Subscription>;

/** GET /api/auth/user; 401 when nobody is signed in. */
export const User = z.object({
  id: z.string(),
  email: z.string(),
  /** Absent when the identity provider did not say. */
  firstName: z.string().optional(),
  tier: Tier,
  usage: Usage,
  subscription: Subscription.nullable(),
});
export type User = z.infer<typeof User>;

/** POST /api/batch-conversions. How many are allowed is the tier's to say, with a better sentence. */
export const CreateBatch = z.object({
  /** None is refused with a better sentence than the schema has. */
  urls: z.array(z.string()).max(1_000),
  format: Format.default("mp3"),
  quality: Quality.optional(),
});
export type CreateBatch = z.infer<typeof CreateBatch>;

/** A line of a batch that was not taken, and why. */
export const RefusedLine = z.object({
  /** From 1, in the order sent. */
  line: z.number().int().min(1),
  url: z.string(),
  code: ErrorCode,
  message: z.string(),
});
export type RefusedLine = z.infer<typeof RefusedLine>;

/** The answer to a batch: the jobs that started, and beside them what did not. */
export const BatchAnswer = z.object({ batchId: z.string(), jobs: z.array(Job), refused: z.array(RefusedLine) });
export type BatchAnswer = z.infer<typeof BatchAnswer>;

/** What a person types to delete the account. */
export const DELETE_ACCOUNT_PHRASE = "delete my account";

/** DELETE /api/account. */
export const DeleteAccount = z.object({ confirmation: z.literal(DELETE_ACCOUNT_PHRASE) });
export type DeleteAccount = z.infer<typeof DeleteAccount>;

/** Why a sign-in came to nothing: `/login?error=CODE`. */
export const SignInError = z.enum(["unavailable", "refused", "expired", "invalid", "rate_limited"]);
export type SignInError = z.infer<typeof SignInError>;

/** POST /api/create-subscription. */
export const CreateSubscription = z.object({ plan: Plan });
export type CreateSubscription = z.infer<typeof CreateSubscription>;

/** Its answer: what the browser confirms with the payment provider. */
export const SubscriptionSecret = z.object({
  clientSecret: z.string(),
  /** Nothing is due now: a card is set up rather than charged. */
  isSetupIntent: z.boolean(),
});
export type SubscriptionSecret = z.infer<typeof SubscriptionSecret>;

/** POST /api/billing-portal: where to send the browser for card, invoices and cancelling. */
export const BillingPortal = z.object({ url: z.string() });
export type BillingPortal = z.infer<typeof BillingPortal>;
