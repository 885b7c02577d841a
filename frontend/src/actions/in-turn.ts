/** Keeps requests about the same job or batch in the order of their clicks. */

/** @param before resolves when the earlier requests have ended; undefined without any. Never rejects. */
type Turn = (before: Promise<void> | undefined) => Promise<void>;

/** @returns a function that starts a request about a job or batch, and calls `onIdle` when no other has followed it */
export function createTurns(): (id: string, request: Turn, onIdle: () => void) => Promise<void> {
  const last = new Map<string, Promise<void>>();
  return (id, request, onIdle) => {
    const before = last.get(id);
    const ended: Promise<void> = request(before)
      .then(() => before)
      .finally(() => {
        // An earlier request that ends must not reset the shown result of a later one.
        if (last.get(id) !== ended) return;
        last.delete(id);
        onIdle();
      });
    last.set(id, ended);
    return ended;
  };
}
