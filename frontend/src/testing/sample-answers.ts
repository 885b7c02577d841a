/** Answers of the API for component tests. */
import { Preview, PublicConfig, User } from "../../../common/api.ts";

/** @param fields those that differ from a site in development */
export function makeConfig(fields: Partial<PublicConfig> = {}): PublicConfig {
  return PublicConfig.parse({
    videoHosts: ["youtube.com", "youtu.be", "video.example"],
    looksUpSponsored: true,
    tier: "free",
    signInAvailable: true,
    paymentAvailable: true,
    stripePublishableKey: "pk_test",
    stripeScriptUrl: null,
    sampleLinks: [{ label: "Rain", url: "https://video.example/watch/rain" }],
    usualSeconds: null,
    ...fields,
  });
}

/** @param fields those that differ from a new user without Pro */
export function makeUser(fields: Partial<User> = {}): User {
  return User.parse({
    id: "ada",
    email: "ada@example.org",
    firstName: "Ada",
    tier: "free",
    usage: { month: "2026-01", totalConversions: 0, totalDataUsed: 0 },
    subscription: null,
    ...fields,
  });
}

/** A picture of one pixel. */
const PICTURE =
  "data:image/jpeg;base64,/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQH/wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AVN//2Q==";

/** @param fields those that differ from a video of 30 s that every plan takes */
export function makePreview(fields: Partial<Preview> = {}): Preview {
  const fits = { quality: "128kbps", sizeBytes: 480_000, fits: true, note: null };
  return Preview.parse({
    title: "Rain on a tin roof",
    thumbnail: PICTURE,
    durationSeconds: 30,
    estimates: { mp3: fits, mp4: { ...fits, quality: "480p", sizeBytes: 1_200_000 } },
    moreEstimates: {
      original: { ...fits, quality: "original" },
      flac: { ...fits, quality: "lossless" },
      wav: { ...fits, quality: "lossless" },
      transcript: { ...fits, quality: "original", sizeBytes: null },
    },
    tags: { title: "Rain on a tin roof", artist: "Weather Station" },
    details: {},
    ...fields,
  });
}
