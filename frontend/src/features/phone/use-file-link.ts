import { useEffect, useRef, useState } from "react";
import type { FileLink, LinkLasts } from "../../../../common/file-link-calls.ts";
import { isFailedCall } from "../../api/errors.ts";
import { fileLinkApi } from "../../api/file-link-api.ts";
import { createPolling } from "../../api/polling.ts";

/** How soon the sheet says that the other device has opened the link. */
const POLL_MS = 2_000;
const POLL_TIMEOUT_MS = 10_000;

/** The links that this page has made, by job: no answer of the server has their addresses again. */
const made = new Map<string, { readonly createdAt: string; readonly address: string }>();

/** @returns the link with its address, unless it was made elsewhere */
function withAddress(jobId: string, link: FileLink): LinkState {
  const own = made.get(jobId);
  return { is: "there", link, address: own?.createdAt === link.createdAt ? own.address : null };
}

export type LinkState =
  | { readonly is: "loading" }
  | { readonly is: "failed" }
  /** The address is null for a link that was made elsewhere. */
  | { readonly is: "there"; readonly link: FileLink; readonly address: string | null }
  | { readonly is: "revoked" };

const isOver = ({ lasts, opened, endsAt }: FileLink) =>
  (lasts === "once" && opened > 0) || Date.parse(endsAt) <= Date.now();

/** The link of a job while its sheet is open: the one that there is, or else a new one that works once. */
export function useFileLink(jobId: string) {
  const [state, setState] = useState<LinkState>({ is: "loading" });
  /** Counts acts of the visitor: an answer to an earlier one changes nothing any more. */
  const acts = useRef(0);

  async function act(call: () => Promise<LinkState>): Promise<void> {
    const mine = ++acts.current;
    setState({ is: "loading" });
    const next = await call().catch((error: unknown): LinkState => {
      if (isFailedCall(error)) return { is: "failed" };
      throw error;
    });
    if (mine === acts.current) setState(next);
  }

  async function madeLink(lasts: LinkLasts): Promise<LinkState> {
    const { url, ...link } = await fileLinkApi.create(jobId, lasts);
    made.set(jobId, { createdAt: link.createdAt, address: window.location.origin + url });
    return withAddress(jobId, link);
  }

  const make = (lasts: LinkLasts) => act(() => madeLink(lasts));
  const open = () =>
    act(async () => {
      const link = await fileLinkApi.read(jobId);
      return link && !isOver(link) ? withAddress(jobId, link) : madeLink("once");
    });
  const revoke = () =>
    act(async () => {
      await fileLinkApi.revoke(jobId);
      return { is: "revoked" };
    });

  useEffect(() => {
    void open();
    // oxlint-disable-next-line react/exhaustive-deps -- a sheet is of one job
  }, []);

  const isWatched = state.is === "there";
  useEffect(() => {
    if (!isWatched) return;
    const polling = createPolling({
      poll: async (signal) => {
        // Nobody looks, such as while the link is opened on the same phone.
        if (document.visibilityState === "hidden") return;
        const mine = acts.current;
        const link = await fileLinkApi.read(jobId, signal);
        if (mine !== acts.current) return;
        setState(link ? withAddress(jobId, link) : { is: "revoked" });
      },
      onError: (error) => {
        // The next poll may get its answer.
        if (!isFailedCall(error)) throw error;
      },
      intervalMs: POLL_MS,
      timeoutMs: POLL_TIMEOUT_MS,
    });
    void polling.start();
    return () => polling.stop();
    // oxlint-disable-next-line react/exhaustive-deps -- a sheet is of one job
  }, [isWatched]);

  return { state, isOver, open, make, revoke };
}
