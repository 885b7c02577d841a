/** Loads the script of the live updates after the page is rendered. */
import type { Live } from "./live.ts";

export interface LazyLiveOptions {
  readonly load: () => Promise<Live>;
  /** Its event `online` starts what could not be loaded without a network. */
  readonly browser: EventTarget;
  /** Called when the script cannot be loaded; the next start or retry loads it again. */
  readonly onLoadFailed: () => void;
}

/** Creates a {@link Live} that loads its script when it is started. */
export function createLazyLive({ load, browser, onLoadFailed }: LazyLiveOptions): Live {
  let loading: Promise<Live> | null = null;
  let isStarted = false;
  let isStopped = false;

  /** @returns null when the script cannot be loaded */
  async function loadOnce(): Promise<Live | null> {
    try {
      return await (loading ??= load());
    } catch (error) {
      loading = null;
      // Browsers throw a TypeError when a dynamic import fails.
      if (!(error instanceof TypeError)) throw error;
      onLoadFailed();
      return null;
    }
  }

  async function start(): Promise<void> {
    const live = await loadOnce();
    if (!live) return browser.addEventListener("online", () => void start(), { once: true });
    if (isStarted || isStopped) return;
    isStarted = true;
    await live.start();
  }

  return {
    start,
    async retry() {
      if (!isStarted) return start();
      await (await loadOnce())?.retry();
    },
    // Not needed before the start, which loads the identity itself.
    async refreshIdentity() {
      await (await loading)?.refreshIdentity();
    },
    stop() {
      isStopped = true;
      void loading?.then((live) => live.stop());
    },
  };
}
