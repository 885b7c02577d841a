import { z } from "zod";

/** @returns the schema of a whole number within bounds */
export function bounded(fallback: number, min: number, max: number) {
  return z.int().min(min).max(max).default(fallback);
}
