import { ignoreStorageErrors } from "./storage-errors.ts";

const KEY = "tapedeck.reopened";

/**
 * Whether a page with a missing script may reload by itself: once, so that it does not reload endlessly.
 * @param build the address of a script, which changes with every build
 * @returns true at the first call in this tab and build; false without storage
 */
export function isFirstReload(build: string): boolean {
  const isFirst = ignoreStorageErrors(() => {
    if (window.sessionStorage.getItem(KEY) === build) return false;
    window.sessionStorage.setItem(KEY, build);
    return true;
  });
  return isFirst ?? false;
}
