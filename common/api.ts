/** The shapes that calls take and answer with, for both sides of the wire. */
import { z } from "zod";
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

/** GET /api/conversions. */
export const JobList = z.array(Job);

/** GET /api/device-info. */
export const DeviceInfo = z.object({
  deviceId: z.string(),
  authenticated: z.boolean(),
  userId: z.string().nullable(),
});
export type DeviceInfo = z.infer<typeof DeviceInfo>;

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
  sampleLinks: z.array(SampleLink),
});
export type PublicConfig = z.infer<typeof PublicConfig>;
