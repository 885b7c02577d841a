/**
 * Calls a function that uses `localStorage` or `sessionStorage`, which throw in browsers that refuse storage.
 * @returns undefined when storage is refused
 */
export function ignoreStorageErrors<Result>(access: () => Result): Result | undefined {
  try {
    return access();
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}
