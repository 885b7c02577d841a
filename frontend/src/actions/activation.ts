/**
 * The time between a confirmed payment and the server's word that this person has Pro. Nothing is
 * claimed before that word. It survives a reload of the tab, and it asks as well as listens, since
 * the socket may be down just then.
 */
import { z } from "zod";
import { createStore } from "zustand/vanilla";
import type { Notify } from "../stores/notice.ts";
import { createPolling } from "../api/polling.ts";
import type { DeviceStore } from "../stores/device.ts";
import type { UserStore } from "../stores/user.ts";
import { currentTexts } from "../texts/store.ts";

const KEY = "tapedeck.activation-began-at";
const ASK_INTERVAL_MS = 2_000;
const ASK_TIMEOUT_MS = 15_000;
/** Longer than a confirmation usually takes to arrive; after it a person wants a word. */
export const PATIENCE_MS = 12_000;
/** Beyond this an answer comes by push or by the next visit, not by asking on. */
const GIVE_UP_MS = 10 * 60_000;

export interface ActivationState {
  /** `done` until the page is left, so that what stood there does not vanish under the reader's eyes. */
  readonly phase: "none" | "waiting" | "done";
  /** It takes longer than it should. */
  readonly isLong: boolean;
}

export interface ActivationParts {
  readonly device: DeviceStore;
  readonly user: UserStore;
  readonly storage: Pick<Storage, "getItem" | "setItem" | "removeItem">;
  readonly notify: Notify;
  readonly refreshIdentity: () => Promise<void>;
  readonly nowMs: () => number;
}

export type Activation = ReturnType<typeof createActivation>;

export function createActivation({ device, user, storage, notify, refreshIdentity, nowMs }: ActivationParts) {
  const store = createStore<ActivationState>()(() => ({ phase: "none", isLong: false }));
  let impatience: ReturnType<typeof setTimeout> | undefined;
  let beganAtMs = 0;
  const polling = createPolling({
    intervalMs: ASK_INTERVAL_MS,
    timeoutMs: ASK_TIMEOUT_MS,
    onError: () => undefined,
    async poll() {
      if (nowMs() - beganAtMs > GIVE_UP_MS) end("none");
      else await refreshIdentity();
    },
  });

  function end(phase: "none" | "done"): void {
    clearTimeout(impatience);
    polling.stop();
    storage.removeItem(KEY);
    store.setState({ phase, isLong: false });
  }

  function look(): void {
    if (store.getState().phase !== "waiting") return;
    if (device.getState().tier === "pro") {
      end("done");
      notify({ kind: "success", ...currentTexts().billing.notices.active });
    } else if (user.getState().phase === "signed-out") end("none");
  }

  function wait(sinceMs: number): void {
    beganAtMs = sinceMs;
    const leftMs = Math.max(0, PATIENCE_MS - (nowMs() - sinceMs));
    clearTimeout(impatience);
    impatience = setTimeout(() => store.setState({ isLong: true }), leftMs);
    store.setState({ phase: "waiting", isLong: false });
    look();
    if (store.getState().phase === "waiting") void polling.start();
  }

  device.subscribe(look);
  user.subscribe(look);

  return {
    store,
    /** The provider has taken the payment; from here on it is the server's turn. */
    begin(): void {
      storage.setItem(KEY, String(nowMs()));
      wait(nowMs());
    },
    /** Goes on waiting after a reload of the tab. */
    resume(): void {
      const beganAt = z.coerce.number().int().min(1).safeParse(storage.getItem(KEY));
      if (beganAt.success && nowMs() - beganAt.data < GIVE_UP_MS) wait(beganAt.data);
    },
    /** The reader has gone elsewhere: what was said need not be said again. */
    dismiss(): void {
      if (store.getState().phase === "done") store.setState({ phase: "none" });
    },
  };
}
