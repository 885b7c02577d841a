/**
 * Limits of how many documents of a kind a user may have. Each document holds one of its user's numbered places under a
 * unique index, so that calls that arrive at the same moment cannot exceed the limit, in one process or in several.
 */
import { randomInt } from "node:crypto";
import type { Model } from "mongoose";
import { isDuplicateKeyError } from "./duplicate-key.ts";

interface Placed {
  _id: string;
  userId: string;
  /** Absent for documents of older versions, which count all the same. */
  place?: string;
}

/** Most documents of one user. */
export interface PlaceLimit {
  readonly most: number;
  /** Which of the user's documents count; all by default. */
  readonly counted?: object;
  /** @returns the error for a user who has `count` of them already */
  readonly refusal: (count: number) => Error;
}

/**
 * Inserts a document in a free place, chosen at random, so that calls at the same moment rarely choose the same one.
 * @returns the document with its place; null when another document took the place, or another unique key, at the same
 *   moment: try again
 * @throws the refusal when the user has as many as allowed
 */
export async function insertInPlace<Stored extends Placed>(
  ofKind: Model<Stored>,
  document: Stored,
  { most, counted = {}, refusal }: PlaceLimit,
): Promise<Stored | null> {
  // Filters of a generic model have no types.
  const model = ofKind as unknown as Model<Placed>;
  const { userId } = document;
  const places = Array.from({ length: most }, (_, number) => `${userId}:${number}`);
  // Places first: a document that is added between the two reads is counted then.
  const placed = await model.find({ place: { $in: places } }, { place: 1 }).lean<Placed[]>();
  const count = await model.countDocuments({ ...counted, userId });
  if (count >= most) throw refusal(count);
  const taken = new Set(placed.map(({ place }) => place));
  // For each counted document without a place, the last free place stays free.
  const free = places.filter((place) => !taken.has(place)).slice(0, most - count);
  if (free.length === 0) return null;
  const place = free[randomInt(free.length)];
  const inPlace = { ...document, place };
  try {
    await model.insertMany([inPlace]);
    return inPlace;
  } catch (error) {
    if (isDuplicateKeyError(error)) return null;
    throw error;
  }
}
