/** Schemas of request and response bodies, used by server and client. */
import { z } from "zod";
import { ConversionChoices } from "./choices.ts";
import { ErrorBody, WireErrorCode } from "./error-codes.ts";
import { Job, WireJobs } from "./job.ts";
import { WireReason } from "./reasons.ts";
import { Shortfall } from "./shortfall.ts";
import { Format, Quality, Tier } from "./tiers.ts";

/** Longest accepted link, in characters. */
export const MAX_LINK_LENGTH = 2_048;

/** POST /api/conversions. The link policy checks the link's length, because its error text is more helpful. */
export const CreateConversion = z.object({
  /** A link, or a text with a link in it. */
  youtubeUrl: z.string(),
  format: Format.default("mp3"),
  /** Defaults to the quality of tier and format; a higher one is rejected. */
  quality: Quality.optional(),
  choices: ConversionChoices.optional(),
});
export type CreateConversion = z.infer<typeof CreateConversion>;

/** POST /api/preview. */
export const PreviewRequest = z.object({
  youtubeUrl: z.string(),
  /** False leaves out the thumbnail, to save data. */
  thumbnail: z.boolean().default(true),
  /** The estimates are for these. With `subtitles`, the server also asks for those that the site withheld at first. */
  choices: ConversionChoices.optional(),
});
export type PreviewRequest = z.input<typeof PreviewRequest>;

/** The expected result of a conversion to one format for the caller's tier. */
export const Estimate = z.object({
  quality: Quality,
  /** Null when the size is unknown before converting. */
  sizeBytes: z.number().int().min(0).nullable(),
  fits: z.boolean(),
  /** Message of `error`, or `shortfall` in English. */
  note: z.string().nullable(),
  /** Why the conversion would fail. */
  error: ErrorBody.optional(),
  /** The picture will have fewer lines than the plan allows. */
  shortfall: Shortfall.optional().catch(undefined),
});
export type Estimate = z.infer<typeof Estimate>;

const LaterEstimate = Estimate.optional().catch(undefined);

/** Response of POST /api/preview: the video behind a link. No job is created. */
export const Preview = z.object({
  title: z.string(),
  /** A data: URL of a small JPEG, so that the browser contacts no video site; null without a picture. */
  thumbnail: z.string().startsWith("data:image/jpeg;base64,").nullable(),
  durationSeconds: z.number().positive().nullable(),
  /** Only of the first two formats: pages of earlier builds do not read a preview that has more here. */
  estimates: z.object({ mp3: Estimate, mp4: Estimate }),
  /** Of the formats that were added later. Left out by an earlier build, and what a newer one changes in them. */
  moreEstimates: z
    .object({ original: LaterEstimate, flac: LaterEstimate, wav: LaterEstimate, transcript: LaterEstimate })
    .optional()
    .catch(undefined),
  /** Absent in the answer of an older server. {@link tagsOf} reads them, where they are needed. */
  tags: z.unknown().optional(),
  /** {@link detailsOf} reads it, where it is needed. */
  details: z.unknown().optional(),
});
export type Preview = z.infer<typeof Preview>;

/** @returns undefined when the server has sent none */
export function estimateOf(
  { estimates, moreEstimates }: Pick<Preview, "estimates" | "moreEstimates">,
  format: Format,
): Estimate | undefined {
  return { ...moreEstimates, ...estimates }[format];
}

/** GET /api/conversions. */
export const JobList = WireJobs;

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
  /** Whether sponsored segments of YouTube videos are looked up. Absent in the answer of an older server. */
  looksUpSponsored: z.boolean().optional(),
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
  /** Each a link, or a text with links in it. */
  urls: z.array(z.string()).max(1_000),
  format: Format.default("mp3"),
  quality: Quality.optional(),
  /** For each of the links. */
  choices: ConversionChoices.optional(),
});
export type CreateBatch = z.infer<typeof CreateBatch>;

/** A rejected line of a batch, with the reason. */
export const RefusedLine = z.object({
  /** Line number, from 1, in the order of the request. */
  line: z.number().int().min(1),
  url: z.string(),
  code: WireErrorCode,
  message: z.string(),
  reason: WireReason,
});
export type RefusedLine = z.infer<typeof RefusedLine>;

/** Response of POST /api/batch-conversions: the created jobs and the rejected lines. */
export const BatchAnswer = z.object({ batchId: z.string(), jobs: z.array(Job), refused: z.array(RefusedLine) });
export type BatchAnswer = z.infer<typeof BatchAnswer>;

/** Response of POST /api/selections: the jobs of the first batch, and the links that were not accepted. */
export const SelectionAnswer = BatchAnswer.extend({
  /** Accepted links. */
  total: z.number().int().min(1),
  /** The job that joins their files, if it was asked for. */
  tape: Job.optional(),
});
export type SelectionAnswer = z.infer<typeof SelectionAnswer>;
