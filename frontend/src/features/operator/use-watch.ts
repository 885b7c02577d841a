/** Watches the server while the page is visible: by pushes, and by calls that also tell the server to go on pushing. */
import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { OperatorState } from "../../../../common/operator.ts";
import { ApiError, isAbort } from "../../api/errors.ts";
import { operatorApi } from "../../api/operator-api.ts";
import { liveSocket } from "../../client/live.ts";
import { ACTED, acts } from "./use-act.ts";

/** A third of the time for which the server pushes. */
const RENEW_MS = 15_000;
/** Without the socket, as the rest of the site asks. */
const POLL_MS = 5_000;

export type WatchPhase = "loading" | "ready" | "absent" | "stale" | "away";

export interface Watch {
  readonly phase: WatchPhase;
  /** The last state that arrived; null before the first. */
  readonly state: OperatorState | null;
  readonly isLive: boolean;
}

function phaseOf(error: unknown): WatchPhase {
  if (!(error instanceof ApiError)) return "away";
  if (error.code === "fresh_sign_in_required") return "stale";
  return error.status === 404 ? "absent" : "away";
}

export function useWatch(): Watch {
  const [phase, setPhase] = useState<WatchPhase>("loading");
  const [state, setState] = useState<OperatorState | null>(null);
  const [isLive, setIsLive] = useState(false);
  const socket = useStore(liveSocket);

  useEffect(() => {
    if (!socket) return;
    const onState = (payload: unknown): void => {
      const pushed = OperatorState.safeParse(payload);
      if (!pushed.success) return;
      setState(pushed.data);
      setPhase("ready");
      setIsLive(true);
    };
    const onLost = (): void => setIsLive(false);
    // The server pushes to a new socket too, for as long as this browser watches.
    socket.on("operator", onState);
    socket.on("disconnect", onLost);
    return () => {
      socket.off("operator", onState);
      socket.off("disconnect", onLost);
    };
  }, [socket]);

  useEffect(() => {
    const stopped = new AbortController();
    let current = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function ask(): Promise<void> {
      clearTimeout(timer);
      // An answer to an earlier question does not know of an act that came after it.
      current.abort();
      if (document.visibilityState === "hidden") return;
      current = new AbortController();
      const { signal } = current;
      let next: WatchPhase = "ready";
      try {
        setState(await operatorApi.watch(signal));
      } catch (error) {
        if (isAbort(error)) return;
        next = phaseOf(error);
      }
      setPhase(next);
      if (next === "absent" || next === "stale" || signal.aborted) return;
      timer = setTimeout(() => void ask(), socket?.connected === true && next === "ready" ? RENEW_MS : POLL_MS);
    }
    const askNow = (): void => void ask();
    askNow();
    document.addEventListener("visibilitychange", askNow, { signal: stopped.signal });
    acts.addEventListener(ACTED, askNow, { signal: stopped.signal });
    return () => {
      stopped.abort();
      current.abort();
      clearTimeout(timer);
    };
  }, [socket]);

  return { phase, state, isLive };
}
