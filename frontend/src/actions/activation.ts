/**
 * Waits, after a confirmed payment, until the server reports that the user has Pro. It continues after a
 * reload of the tab, and it polls in addition to the socket's events, because the socket may be down.
 */
import { z } from "zod";
import { createStore } from "zustand/vanilla";
import type { Notify } from "../stores/notice.ts";
import { createPolling } from "../api/polling.ts";
import type { DeviceStore } from "../stores/device.ts";
import type { UserStore } from "../stores/user.ts";
import { currentTexts } from "../texts/store.ts";

const KEY = "tapedeck.activation-began-at";
const POLL_INTERVAL_MS = 2_000;
const POLL_TIMEOUT_MS = 15_000;
/** Longer than a confirmation usually takes; after it the page explains the delay. */
export const LONG_WAIT_MS = 12_000;
/** After this time polling ends; a later confirmation arrives by push or at the next visit. */
const MAX_WAIT_MS = 10 * 60_000;

export interface ActivationState {
  /** `done` stays until the page is left, so that its text does not vanish while the user reads it. */
  readonly phase: "none" | "waiting" | "done";
  /** Waiting has taken longer than {@link LONG_WAIT_MS}. */
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

export function createActivation({ device, user, storage, notify, refreshIdentity, nowMs }: ActivationParts) {
  const store = createStore<ActivationState>()(() => ({ phase: "none", isLong: false }));
  let longTimer: ReturnType<typeof setTimeout> | undefined;
  let beganAtMs = 0;
  const polling = createPolling({
    intervalMs: POLL_INTERVAL_MS,
    timeoutMs: POLL_TIMEOUT_MS,
    onError: () => undefined,
    async poll() {
      if (nowMs() - beganAtMs > MAX_WAIT_MS) end("none");
      else await refreshIdentity();
    },
  });

  function end(phase: "none" | "done"): void {
    clearTimeout(longTimer);
    polling.stop();
    storage.removeItem(KEY);
    store.setState({ phase, isLong: false });
  }

  function checkTier(): void {
    if (store.getState().phase !== "waiting") return;
    if (device.getState().tier === "pro") {
      end("done");
      notify({ kind: "success", ...currentTexts().billing.notices.active });
    } else if (user.getState().phase === "signed-out") end("none");
  }

  function wait(sinceMs: number): void {
    beganAtMs = sinceMs;
    const leftMs = Math.max(0, LONG_WAIT_MS - (nowMs() - sinceMs));
    clearTimeout(longTimer);
    longTimer = setTimeout(() => store.setState({ isLong: true }), leftMs);
    store.setState({ phase: "waiting", isLong: false });
    checkTier();
    if (store.getState().phase === "waiting") void polling.start();
  }

  device.subscribe(checkTier);
  user.subscribe(checkTier);

  return {
    store,
    /** Starts waiting, after the provider has accepted the payment. */
    begin(): void {
      storage.setItem(KEY, String(nowMs()));
      wait(nowMs());
    },
    /** Continues waiting after a reload of the tab. */
    resume(): void {
      const beganAt = z.coerce.number().int().min(1).safeParse(storage.getItem(KEY));
      if (beganAt.success && nowMs() - beganAt.data < MAX_WAIT_MS) wait(beganAt.data);
    },
    /** Resets `done` when the user has left the page. */
    dismiss(): void {
      if (store.getState().phase === "done") store.setState({ phase: "none" });
    },
  };
}
