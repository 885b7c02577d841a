/** The code of MongoDB's error for a unique key that another document already has. */
const DUPLICATE_KEY = 11_000;

/** @returns whether a write failed because another document already has the same unique key */
export function isDuplicateKeyError(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === DUPLICATE_KEY;
}
