/**
 * Limits of how many documents of a kind an owner may have. Each document holds one of its owner's numbered slots under a
 * unique index, so that calls that arrive at the same moment cannot exceed the limit, in one process or in several.
 */
import { randomInt } from "node:crypto";
import type { Model } from "mongoose";
import { isDuplicateKeyError } from "./duplicate-key.ts";

/**
 * @param range.most numbers of slots, from 0; where there is no such limit, enough for the taken and the wanted ones
 * @param range.first the number that is tried first; after the last one the search goes on at 0
 * @returns at most `wanted` free slots of the owner, such as "user:1:0"
 */
export function freeSlots(
  owner: string,
  taken: ReadonlySet<string>,
  wanted: number,
  { most = taken.size + wanted, first = 0 }: { readonly most?: number; readonly first?: number } = {},
): string[] {
  const free: string[] = [];
  for (let n = 0; n < most && free.length < wanted; n += 1) {
    const slot = `${owner}:${(first + n) % most}`;
    if (!taken.has(slot)) free.push(slot);
  }
  return free;
}

interface InSlot {
  _id: string;
  userId: string;
  /** The slot. Absent for documents of older versions, which count all the same. */
  place?: string;
}

/** Most documents of one user. */
export interface SlotLimit {
  readonly most: number;
  /** Which of the user's documents count; all by default. */
  readonly counted?: object;
  /** @returns the error for a user who has `count` of them already */
  readonly refusal: (count: number) => Error;
}

/**
 * Inserts a document in a free slot, chosen at random, so that calls at the same moment rarely choose the same one.
 * @returns the document with its slot; null when another document took the slot, or another unique key, at the same
 *   moment: try again
 * @throws the refusal when the user has as many as allowed
 */
export async function insertInSlot<Stored extends InSlot>(
  ofKind: Model<Stored>,
  document: Stored,
  { most, counted = {}, refusal }: SlotLimit,
): Promise<Stored | null> {
  // Filters of a generic model have no types.
  const model = ofKind as unknown as Model<InSlot>;
  const { userId } = document;
  const all = freeSlots(userId, new Set(), most);
  // Slots first: a document that is added between the two reads is counted then.
  const inSlots = await model.find({ place: { $in: all } }, { place: 1 }).lean<InSlot[]>();
  const count = await model.countDocuments({ ...counted, userId });
  if (count >= most) throw refusal(count);
  const taken = new Set(inSlots.flatMap(({ place }) => place ?? []));
  // For each counted document without a slot, the last free slot stays free.
  const free = freeSlots(userId, taken, most - count, { most });
  if (free.length === 0) return null;
  const inSlot = { ...document, place: free[randomInt(free.length)] };
  try {
    await model.insertMany([inSlot]);
    return inSlot;
  } catch (error) {
    if (isDuplicateKeyError(error)) return null;
    throw error;
  }
}
