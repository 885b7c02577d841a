/**
 * Outbox entries: requests of the visitor that the server has not answered yet, stored across reloads.
 * Each entry has the idempotency key of its click, so that the server counts it once however often it is sent.
 */
import { z } from "zod";
import { ConversionChoices } from "../../../common/choices.ts";
import { Format } from "../../../common/tiers.ts";
import { parseJson } from "../../../common/parse-json.ts";
import type { TextStorage } from "../platform/text-storage.ts";
import { OUTBOX_KEY } from "../platform/storage-keys.ts";

const base = {
  key: z.string().min(1),
  /** Time of the click on this browser's clock, in milliseconds since 1970. */
  madeAtMs: z.number(),
  /** Id of the signed-in user, null when signed out. An entry is never sent for another user. */
  madeBy: z.string().nullable(),
  /** True after a first try without an answer: the entry is shown as waiting. */
  isKept: z.boolean(),
  /** The request may have reached the server. */
  isSent: z.boolean().optional(),
};
const wanted = { format: Format, choices: ConversionChoices.optional() };
const conversion = { ...wanted, youtubeUrl: z.string() };
const ConvertEntry = z.object({ ...base, kind: z.literal("convert"), ...conversion });
/** Removes the job of a conversion again whose request may have reached the server; `convertKey` is its key. */
const TakeBackEntry = z.object({ ...base, kind: z.literal("takeBack"), ...conversion, convertKey: z.string() });
const ConvertBatchEntry = z.object({
  ...base,
  kind: z.literal("convertBatch"),
  urls: z.array(z.string()).min(1),
  ...wanted,
});
/** Several links that were chosen from a list. */
const ConvertSelectionEntry = z.object({
  ...base,
  kind: z.literal("convertSelection"),
  title: z.string(),
  urls: z.array(z.string()).min(1),
  tracks: z.array(z.number()).optional(),
  asOneFile: z.boolean().optional(),
  ...wanted,
});
/** `id` is a job id. */
const JobEntry = z.object({ ...base, kind: z.enum(["cancel", "remove", "retry"]), id: z.string() });
/** `id` is a batch id. */
const BatchEntry = z.object({
  ...base,
  kind: z.enum(["cancelBatch", "retryBatch"]),
  id: z.string(),
  jobIds: z.array(z.string()),
});

export const OutboxEntry = z.discriminatedUnion("kind", [
  ConvertEntry,
  TakeBackEntry,
  ConvertBatchEntry,
  ConvertSelectionEntry,
  JobEntry,
  BatchEntry,
]);
export type OutboxEntry = z.infer<typeof OutboxEntry>;
export type ConvertEntry = z.infer<typeof ConvertEntry>;
export type TakeBackEntry = z.infer<typeof TakeBackEntry>;
export type ConvertBatchEntry = z.infer<typeof ConvertBatchEntry>;
export type ConvertSelectionEntry = z.infer<typeof ConvertSelectionEntry>;
export type JobEntry = z.infer<typeof JobEntry>;
export type BatchEntry = z.infer<typeof BatchEntry>;

/** The server remembers an idempotency key this long; sent later, the entry could count twice. */
export const ENTRY_LIFETIME_MS = 24 * 60 * 60 * 1_000;
/** More than a visitor requests while offline, and far below the browser's storage limit. */
export const MAX_ENTRIES = 50;

/** Reads the stored entries in the order of their creation; leaves out unreadable ones. */
export function readEntries(storage: TextStorage): OutboxEntry[] {
  const list = parseJson(storage.getItem(OUTBOX_KEY) ?? "[]");
  return Array.isArray(list) ? list.flatMap((item) => OutboxEntry.safeParse(item).data ?? []) : [];
}

/** Replaces all stored entries. In a browser that refuses storage the entries last until the page is left. */
export function writeEntries(storage: TextStorage, entries: readonly OutboxEntry[]): void {
  if (entries.length === 0) storage.removeItem(OUTBOX_KEY);
  else storage.setItem(OUTBOX_KEY, JSON.stringify(entries));
}

/**
 * Finds the job or batch that an entry changes. A later entry with the same target replaces an earlier one.
 * @returns a job id or a batch id; null for a new conversion
 */
export function targetOf(entry: OutboxEntry): string | null {
  return "id" in entry ? entry.id : null;
}
