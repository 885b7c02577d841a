/** Sets an entry as the newest one of a map, and drops the oldest ones above a number of entries. */
export function setNewest<Value>(entries: Map<string, Value>, key: string, value: Value, maxEntries: number): void {
  // A map keeps the order of insertion, so the oldest entry is the first.
  entries.delete(key);
  entries.set(key, value);
  for (const oldest of entries.keys()) {
    if (entries.size <= maxEntries) return;
    entries.delete(oldest);
  }
}
