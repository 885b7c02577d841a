/** The live part of the page, fetched and started after the page itself stands. */
import type { Live } from "./live.ts";

export interface LateLiveOptions {
  readonly load: () => Promise<Live>;
  /** Its script could not be had; the next start or retry tries again. */
  readonly onMissing: () => void;
}

/** A {@link Live} whose script is not part of the first one; starting it fetches it. */
export function createLateLive({ load, onMissing }: LateLiveOptions): Live {
  let loading: Promise<Live> | null = null;
  let isStarted = false;
  let isStopped = false;

  /** Null while its script cannot be had. */
  async function arrive(): Promise<Live | null> {
    try {
      return await (loading ??= load());
    } catch (error) {
      loading = null;
      // What a browser throws when a part of the script cannot be had.
      if (!(error instanceof TypeError)) throw error;
      onMissing();
      return null;
    }
  }

  async function start(): Promise<void> {
    const live = await arrive();
    if (!live || isStarted || isStopped) return;
    isStarted = true;
    await live.start();
  }

  return {
    start,
    async retry() {
      if (!isStarted) return start();
      await (await arrive())?.retry();
    },
    // Before it has begun there is nothing to be out of date: starting asks who is there.
    async refreshIdentity() {
      await (await loading)?.refreshIdentity();
    },
    stop() {
      isStopped = true;
      void loading?.then((live) => live.stop());
    },
  };
}
