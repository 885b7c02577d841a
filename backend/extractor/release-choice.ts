/**
 * Decides which release is old enough to be installed. A release that was tampered with is mostly found out within days,
 * so the server waits that long. It counts from when it saw a release first, with the hashes of that moment: a date in a
 * version is chosen by whoever publishes it.
 */
import { compareVersions, type PackageSet, type WaitingRelease } from "./releases.ts";

export interface SeenRelease extends PackageSet {
  readonly seenAtMs: number;
}

export interface ReleaseRules {
  /** How long a release waits; 0 for not at all. */
  readonly waitMs: number;
  /** Names of the packages that may be installed. */
  readonly names: ReadonlySet<string>;
}

/** Nightly releases come daily. */
const KEPT = 30;

/**
 * @returns the releases that the index has still, with the offered one, oldest first. One that has a newer package than
 * what is offered now was withdrawn.
 */
export function noteOffer(seen: readonly SeenRelease[], offered: PackageSet, nowMs: number): readonly SeenRelease[] {
  const versions = new Map(offered.packages.map(({ name, version }) => [name, version]));
  const isThere = ({ packages }: PackageSet): boolean =>
    packages.every(({ name, version }) => compareVersions(version, versions.get(name) ?? version) <= 0);
  const kept = seen.filter(isThere);
  if (kept.some((release) => isSame(release, offered))) return kept;
  return [...kept, { ...offered, seenAtMs: nowMs }].slice(-KEPT);
}

/** @returns the newest release that may be installed now; undefined when there is none */
export function ripeRelease(
  seen: readonly SeenRelease[],
  { waitMs, names }: ReleaseRules,
  nowMs: number,
): PackageSet | undefined {
  return seen
    .filter((release) => release.seenAtMs + waitMs <= nowMs && unknownPackages(release, names).length === 0)
    .toSorted((left, right) => compareVersions(left.version, right.version) || left.seenAtMs - right.seenAtMs)
    .at(-1);
}

/** @returns why the offered release waits; null when nothing holds it back */
export function reasonToWait(
  seen: readonly SeenRelease[],
  offered: PackageSet,
  { waitMs, names }: ReleaseRules,
  nowMs: number,
): WaitingRelease | null {
  // A newer dependency makes another set of the same version, which need not hold the version back.
  const times = seen.filter(({ version }) => version === offered.version).map(({ seenAtMs }) => seenAtMs);
  const untilMs = Math.min(...times) + waitMs;
  const packages = unknownPackages(offered, names);
  if (untilMs <= nowMs && packages.length === 0) return null;
  return { version: offered.version, untilMs: untilMs > nowMs ? untilMs : null, packages };
}

/** @returns the line for the log and the operator */
export function describeWait({ version, untilMs, packages }: WaitingRelease): string {
  const reasons = [
    ...(untilMs === null ? [] : [`until ${new Date(untilMs).toISOString()}, because it is new`]),
    ...(packages.length === 0 ? [] : [`for a word of the operator, because it needs ${packages.join(", ")}`]),
  ];
  return `yt-dlp ${version} waits ${reasons.join(" and ")}`;
}

function unknownPackages({ packages }: PackageSet, names: ReadonlySet<string>): string[] {
  return packages.map(({ name }) => name).filter((name) => !names.has(name));
}

function isSame(left: PackageSet, right: PackageSet): boolean {
  const textOf = ({ packages }: PackageSet): string =>
    packages
      .map(({ name, version, sha256 }) => `${name} ${version} ${sha256}`)
      .toSorted()
      .join();
  return textOf(left) === textOf(right);
}
