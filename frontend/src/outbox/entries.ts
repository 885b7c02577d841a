/**
 * What a visitor has asked for and the server has not answered yet, as it is kept across reloads.
 * Each wish has the key it was given at the click: sent twice, it still counts once.
 */
import { z } from "zod";
import { Format } from "../../../common/tiers.ts";

const base = {
  key: z.string().min(1),
  /** When it was clicked, by this browser's clock; milliseconds since 1970. */
  madeAtMs: z.number(),
  /** Who was signed in; null when nobody was. Nobody else sends it. */
  madeBy: z.string().nullable(),
  /** It has been tried without an answer, so it is shown as waiting. */
  isKept: z.boolean(),
};
const ConvertWish = z.object({ ...base, kind: z.literal("convert"), youtubeUrl: z.string(), format: Format });
const ConvertBatchWish = z.object({
  ...base,
  kind: z.literal("convertBatch"),
  urls: z.array(z.string()).min(1),
  format: Format,
});
/** `id` is a job's. */
const JobWish = z.object({ ...base, kind: z.enum(["cancel", "remove", "retry"]), id: z.string() });
/** `id` is a batch's. */
const BatchWish = z.object({
  ...base,
  kind: z.enum(["cancelBatch", "retryBatch"]),
  id: z.string(),
  jobIds: z.array(z.string()),
});

export const Wish = z.discriminatedUnion("kind", [ConvertWish, ConvertBatchWish, JobWish, BatchWish]);
export type Wish = z.infer<typeof Wish>;
export type ConvertWish = z.infer<typeof ConvertWish>;
export type ConvertBatchWish = z.infer<typeof ConvertBatchWish>;
export type JobWish = z.infer<typeof JobWish>;
export type BatchWish = z.infer<typeof BatchWish>;

/** As long as the server remembers a key: later the same wish could count twice. */
export const WISH_LIFE_MS = 24 * 60 * 60 * 1_000;
/** More than anybody asks for while out of reach, and far below what a browser stores. */
export const MAX_WISHES = 50;

export const STORAGE_KEY = "tapedeck.requests";

/** What `localStorage` has of it. */
export type WishStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** Wishes in the order in which they were made; what cannot be read is passed over. */
export function readWishes(storage: WishStorage): Wish[] {
  const text = quietly(() => storage.getItem(STORAGE_KEY)) ?? "[]";
  try {
    const list = z.array(z.unknown()).safeParse(JSON.parse(text)).data ?? [];
    return list.flatMap((one) => Wish.safeParse(one).data ?? []);
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

export function writeWishes(storage: WishStorage, wishes: readonly Wish[]): void {
  quietly(() =>
    wishes.length === 0 ? storage.removeItem(STORAGE_KEY) : storage.setItem(STORAGE_KEY, JSON.stringify(wishes)),
  );
}

/** A browser that keeps nothing: wishes live as long as the page. */
function quietly<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

/** What two wishes about the same thing share: of those the last one counts. Null for a wish that stands alone. */
export function targetOf(wish: Wish): string | null {
  return wish.kind === "convert" || wish.kind === "convertBatch" ? null : wish.id;
}
