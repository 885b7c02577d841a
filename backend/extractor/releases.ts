/** Versions of yt-dlp, and which release an operator wants. */
import { z } from "zod";

export type Release =
  { readonly kind: "stable" | "nightly" | "off" } | { readonly kind: "pinned"; readonly version: string };

/** A wheel of a package. */
export const LockedPackage = z.object({ name: z.string(), version: z.string(), sha256: z.string() });

/** A yt-dlp and all that it needs. */
export const PackageSet = z.object({
  /** Of yt-dlp. */
  version: z.string(),
  packages: z.array(LockedPackage),
});
export type PackageSet = z.infer<typeof PackageSet>;

/** A release that is not used yet. */
export const WaitingRelease = z.object({
  version: z.string(),
  /** Until when it is too new; null when it is old enough. */
  untilMs: z.number().nullable(),
  /** What it needs and no operator has allowed. */
  packages: z.array(z.string()),
});
export type WaitingRelease = z.infer<typeof WaitingRelease>;

/** The solver of YouTube's challenges comes with `default`, the looks of browsers with `curl-cffi`. */
const PACKAGE = "yt-dlp[default,curl-cffi]";
const MS_PER_DAY = 86_400_000;

/**
 * @param text `stable`, `nightly`, `off`, or `pinned` and a version
 * @throws RangeError for another text
 */
export function parseRelease(text: string): Release {
  const [kind = "", version = "", ...rest] = text.trim().split(/\s+/);
  if (kind === "pinned" && /^\d{4}(?:\.\d+){2,3}(?:\.dev\d+)?$/.test(version) && rest.length === 0)
    return { kind, version };
  if ((kind === "stable" || kind === "nightly" || kind === "off") && version === "") return { kind };
  throw new RangeError(`${text} is no release of yt-dlp`);
}

/** @returns the text that `parseRelease` reads */
export function releaseText(release: Release): string {
  return release.kind === "pinned" ? `pinned ${release.version}` : release.kind;
}

/** @returns arguments of `pip install` */
export function pipRequirement(release: Release): readonly string[] {
  if (release.kind === "nightly") return ["--pre", PACKAGE];
  return [release.kind === "pinned" ? `${PACKAGE}==${release.version}` : PACKAGE];
}

/** yt-dlp prints `2026.08.19`, and pip `2026.8.19`; nightly releases add a time, and pip adds `dev0` as well. */
function numbersOf(version: string): readonly number[] {
  return (version.replace(/\.?dev\d*$/, "").match(/\d+/g) ?? []).map(Number);
}

/** @returns more than 0 when `left` is newer, 0 when both are the same release */
export function compareVersions(left: string, right: string): number {
  const ours = numbersOf(left);
  const theirs = numbersOf(right);
  for (let index = 0; index < Math.max(ours.length, theirs.length); index += 1) {
    const difference = (ours[index] ?? 0) - (theirs[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** @returns days since the release, which is the date in its version */
export function ageInDays(version: string, nowMs: number): number {
  const [year = 0, month = 1, day = 1] = numbersOf(version);
  return Math.max(0, Math.floor((nowMs - Date.UTC(year, month - 1, day)) / MS_PER_DAY));
}

/**
 * @param offered version that pip would install
 * @param inUse version that runs; undefined when it is unknown
 */
export function isWanted(release: Release, offered: string, inUse: string | undefined): boolean {
  if (inUse === undefined) return true;
  const difference = compareVersions(offered, inUse);
  return release.kind === "pinned" ? difference !== 0 : difference > 0;
}
