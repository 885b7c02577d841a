/** Figures of the operator's page, which is in English. */
const TIME = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });
const CLOCK = new Intl.DateTimeFormat("en", { timeStyle: "medium" });
const DAY = new Intl.DateTimeFormat("en", { dateStyle: "medium" });
const PERCENT = new Intl.NumberFormat("en", { style: "percent" });

export const timeOf = (iso: string): string => TIME.format(new Date(iso));
export const clockOf = (iso: string): string => CLOCK.format(new Date(iso));
export const dayOf = (iso: string): string => DAY.format(new Date(iso));
export const percentOf = (share: number): string => PERCENT.format(share);

/** @returns such as "81 GB", in decimal units as the rest of the site */
export function bytesOf(bytes: number): string {
  return bytes >= 1e9 ? `${Math.round(bytes / 1e9)} GB` : `${Math.round(bytes / 1e6)} MB`;
}

/** @returns such as "40 s", "12 min", "3 h" or "5 d" */
export function ageOf(seconds: number): string {
  if (seconds < 90) return `${Math.max(0, Math.round(seconds))} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  return seconds < 48 * 3_600 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} d`;
}

/** @param asOf the server's time, so that a wrong clock here changes no age */
export function ageSince(iso: string, asOf: string): string {
  return ageOf((Date.parse(asOf) - Date.parse(iso)) / 1_000);
}
