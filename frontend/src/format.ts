/** Figures as people read them. */
import { BYTES_PER_MB } from "../../common/tiers.ts";
import type { Format, Quality } from "../../common/tiers.ts";

const BYTES_PER_KB = 1_000;

/** Decimal megabytes with one decimal: 2 834 112 bytes are "2.8 MB". */
export function formatMegabytes(sizeBytes: number): string {
  return `${(sizeBytes / BYTES_PER_MB).toFixed(1)} MB`;
}

/** "350 kB/s", "2.4 MB/s". */
export function formatSpeed(bytesPerSecond: number): string {
  return bytesPerSecond < BYTES_PER_MB
    ? `${Math.round(bytesPerSecond / BYTES_PER_KB)} kB/s`
    : `${(bytesPerSecond / BYTES_PER_MB).toFixed(1)} MB/s`;
}

/** "3 s left", "2 min left", "1 h 5 min left"; never zero, which would be a promise. */
export function formatTimeLeft(etaSeconds: number): string {
  const seconds = Math.max(1, Math.round(etaSeconds));
  if (seconds < 60) return `${seconds} s left`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min left`;
  const rest = minutes % 60;
  return rest === 0 ? `${Math.floor(minutes / 60)} h left` : `${Math.floor(minutes / 60)} h ${rest} min left`;
}

/** A length as players show it: "4:12", "2:31:07". */
export function formatClock(durationSeconds: number): string {
  const whole = Math.round(durationSeconds);
  const two = (part: number) => String(part).padStart(2, "0");
  const hours = Math.floor(whole / 3_600);
  const minutes = Math.floor(whole / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** "128 kbps", "480p". */
export function formatQuality(quality: Quality): string {
  return quality.replace("kbps", " kbps");
}

/** "MP3 · 128 kbps" */
export function formatKind({ format, quality }: { format: Format; quality: Quality }): string {
  return `${format.toUpperCase()} · ${formatQuality(quality)}`;
}

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "always" });

/** "in 52 minutes", "in 7 days", "3 hours ago". Rounded down, so that what is promised is there. */
export function formatRelativeTime(iso: string, nowMs: number): string {
  const differenceMs = Date.parse(iso) - nowMs;
  const [unit, unitMs] = UNITS.find(([, ms]) => Math.abs(differenceMs) >= ms) ?? ["second", 1_000];
  return relative.format(Math.trunc(differenceMs / unitMs), unit);
}

/** "20 minutes", "2 hours", "7 days": a whole number of the largest unit that fits. */
export function formatSpan(seconds: number): string {
  const ms = seconds * 1_000;
  const [unit, unitMs] = UNITS.find(([, size]) => ms >= size && ms % size === 0) ?? ["second", 1_000];
  const count = Math.round(ms / unitMs);
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", trailingZeroDisplay: "stripIfInteger" });

/** "$9", "$7.50". */
export function formatUsd(amountUsd: number): string {
  return dollars.format(amountUsd);
}

const longDate = new Intl.DateTimeFormat("en", { dateStyle: "long" });

/** "March 3, 2027", where the reader is. */
export function formatDate(iso: string): string {
  return longDate.format(new Date(iso));
}
