import { describe, expect, it } from "vitest";
import { PRO_MONTHLY_USD, PRO_YEARLY_SAVING_PERCENT, PRO_YEARLY_SAVING_USD, PRO_YEARLY_USD } from "./prices.ts";
import { qualityFor, tierAllows, TIERS, type Format, type Quality, type Tier } from "./tiers.ts";

describe("tier limits", () => {
  it.each([
    ["file size in bytes", "maxFileBytes", 50_000_000, 500_000_000],
    ["length in seconds", "maxDurationSeconds", 1_200, 7_200],
    ["retention in seconds", "retentionSeconds", 3_600, 604_800],
    ["links at once", "batchSize", 1, 20],
    ["tokens", "maxTokens", 1, 20],
    ["webhooks", "maxWebhooks", 1, 10],
    ["follows", "maxFollows", 0, 20],
    ["advertisements", "showsAds", true, false],
  ] as const)("%s", (_, key, free, pro) => {
    expect([TIERS.free[key], TIERS.pro[key]]).toEqual([free, pro]);
  });

  it("let both tiers have the original sound and transcripts, and only Pro FLAC and WAV", () => {
    expect([TIERS.free.formats, TIERS.pro.formats]).toEqual([
      ["mp3", "mp4", "original", "transcript"],
      ["mp3", "mp4", "original", "flac", "wav", "transcript"],
    ]);
  });

  it("give Pro a higher queue priority", () => {
    expect(TIERS.pro.priority).toBeGreaterThan(TIERS.free.priority);
  });

  it.each<[Tier, Format, Quality]>([
    ["free", "mp3", "128kbps"],
    ["free", "mp4", "480p"],
    ["pro", "mp3", "320kbps"],
    ["pro", "mp4", "1080p"],
    ["free", "original", "original"],
    ["pro", "original", "original"],
    ["pro", "flac", "lossless"],
    ["pro", "wav", "lossless"],
  ])("%s %s is %s", (tier, format, quality) => {
    expect(qualityFor(tier, format)).toBe(quality);
  });

  it.each<[Tier, Format, Quality, boolean]>([
    ["free", "mp3", "128kbps", true],
    ["free", "mp3", "320kbps", false],
    ["free", "mp3", "480p", false],
    ["free", "mp4", "480p", true],
    ["free", "mp4", "1080p", false],
    ["free", "mp4", "128kbps", false],
    ["pro", "mp3", "128kbps", true],
    ["pro", "mp3", "320kbps", true],
    ["pro", "mp3", "1080p", false],
    ["pro", "mp4", "480p", true],
    ["pro", "mp4", "1080p", true],
    ["pro", "mp4", "320kbps", false],
    ["free", "original", "original", true],
    ["free", "original", "128kbps", false],
    ["free", "mp3", "original", false],
    ["free", "flac", "lossless", false],
    ["free", "wav", "lossless", false],
    ["pro", "original", "original", true],
    ["pro", "flac", "lossless", true],
    ["pro", "wav", "lossless", true],
    ["pro", "wav", "original", false],
    ["pro", "mp4", "lossless", false],
  ])("%s %s may ask for %s: %s", (tier, format, quality, allowed) => {
    expect(tierAllows(tier, format, quality)).toBe(allowed);
  });
});

it("the yearly plan costs 90 dollars and saves 18 dollars, 17 percent, against twelve months at 9", () => {
  expect([PRO_MONTHLY_USD, PRO_YEARLY_USD, PRO_YEARLY_SAVING_USD, PRO_YEARLY_SAVING_PERCENT]).toEqual([9, 90, 18, 17]);
});
