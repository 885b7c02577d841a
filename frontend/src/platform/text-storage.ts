import { ignoreStorageErrors } from "./storage-errors.ts";

/** A storage that never throws. */
export type TextStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/**
 * @param open throws DOMException in a browser that refuses storage
 * @returns a storage that stores nothing where the browser refuses it or has no room left
 */
export function openStorage(open: () => TextStorage): TextStorage {
  return {
    getItem: (key) => ignoreStorageErrors(() => open().getItem(key)) ?? null,
    setItem: (key, value) => ignoreStorageErrors(() => open().setItem(key, value)),
    removeItem: (key) => ignoreStorageErrors(() => open().removeItem(key)),
  };
}
