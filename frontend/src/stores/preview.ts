/** State of the preview of the link in the field. */
import { createStore } from "zustand/vanilla";
import { chosen, type Part } from "../../../common/choices.ts";
import type { Preview } from "../../../common/api.ts";
import type { ErrorBody } from "../../../common/errors.ts";
import { detailsOf } from "../../../common/preview-details.ts";
import type { Tier } from "../../../common/tiers.ts";
import { ApiError, isAbort, isFailedCall } from "../api/errors.ts";
import type { Api } from "../api/api.ts";
import { isPlain, mayHoldLink, readNow, readText } from "./text-reader.ts";

/** A typed link is previewed after this pause, a pasted one at once. */
export const TYPING_PAUSE_MS = 350;

export type PreviewView =
  | { readonly phase: "none" }
  | { readonly phase: "loading" }
  | { readonly phase: "ready"; readonly preview: Preview }
  /** The error is null when the server's response has no error body. */
  | { readonly phase: "failed"; readonly error: ErrorBody | null };

export interface PreviewState {
  readonly view: PreviewView;
  /**
   * Must be called with the text of the field at each change, and with the chosen part, whose sizes the preview then
   * has; aborts the request for an earlier text or part.
   */
  readonly follow: (link: string, part?: Part) => void;
  /** Asks for the current preview again. */
  readonly retry: () => void;
  /** Has the server ask for subtitles that the site withheld at first. Does nothing when none were, or it was called. */
  readonly askForSubtitles: () => void;
}

export interface PreviewParts {
  readonly load: Api["preview"];
  readonly videoHosts: () => readonly string[];
  /** The estimates depend on the tier. */
  readonly tier: () => Tier;
  readonly savesData: () => boolean;
}

const NONE: PreviewView = { phase: "none" };

/** @returns null when there is nothing to preview, undefined until the text can be read */
function previewedIn(text: string, videoHosts: readonly string[]): string | null | undefined {
  if (isPlain(text, videoHosts)) return text;
  return mayHoldLink(text) ? readNow(text, videoHosts)?.previewed : null;
}

function withoutSizes(preview: Preview): Preview {
  const { mp3, mp4 } = preview.estimates;
  const estimates = { mp3: { ...mp3, sizeBytes: null }, mp4: { ...mp4, sizeBytes: null } };
  return { ...preview, estimates, moreEstimates: undefined };
}

export function createPreviewStore({ load, videoHosts, tier, savesData }: PreviewParts) {
  let lastLink = "";
  /** Tier and link of the current preview; empty without one. */
  let currentKey = "";
  /** The part whose sizes it was asked for. */
  let currentPart: Part | undefined;
  /** The part whose sizes are shown. */
  let sizesOf: Part | undefined;
  /** The visitor chooses subtitles of the current preview's video. */
  let wantsSubtitles = false;
  let current: AbortController | null = null;

  return createStore<PreviewState>()((set, get) => {
    async function show(link: string, part: Part | undefined, signal: AbortSignal): Promise<void> {
      try {
        const { view } = get();
        const choices = chosen({ part, subtitles: wantsSubtitles ? {} : undefined });
        const known = view.phase === "ready" ? view.preview.thumbnail : undefined;
        const thumbnail = known === undefined && !savesData();
        const preview = await load({ youtubeUrl: link, thumbnail, choices }, signal);
        if (signal.aborted) return;
        sizesOf = part;
        // A known picture is not sent again.
        set({ view: { phase: "ready", preview: { ...preview, thumbnail: known ?? preview.thumbnail } } });
      } catch (error) {
        if (signal.aborted || isAbort(error)) return;
        // Not reported: the conversion may succeed although the preview failed.
        if (!isFailedCall(error)) throw error;
        // The video is known; only the sizes of the part are not.
        const { view } = get();
        if (view.phase === "ready" && sizesOf === part) return;
        if (view.phase === "ready") return set({ view: { ...view, preview: withoutSizes(view.preview) } });
        set({ view: { phase: "failed", error: (error instanceof ApiError && error.body) || null } });
      }
    }

    async function followWhenRead(typed: string, part: Part | undefined): Promise<void> {
      if (!(await readText(typed, videoHosts())) || lastLink !== typed) return;
      lastLink = "";
      get().follow(typed, part);
    }

    return {
      view: NONE,
      follow(text, part) {
        const typed = text.trim();
        const isTyped = Math.abs(typed.length - lastLink.length) <= 1;
        lastLink = typed;
        const link = previewedIn(typed, videoHosts());
        if (link === undefined) void followWhenRead(typed, part);
        const key = link ? `${tier()} ${link}` : "";
        const isSame = key === currentKey;
        if (isSame && part === currentPart) return;
        if (!isSame) wantsSubtitles = false;
        currentKey = key;
        currentPart = part;
        current?.abort();
        current = null;
        if (!link) return set({ view: NONE });
        const controller = new AbortController();
        current = controller;
        // While the sizes of another part are asked for, the video stays.
        const isOtherPart = isSame && get().view.phase === "ready";
        if (!isOtherPart) set({ view: { phase: "loading" } });
        if (!isTyped && !isOtherPart) return void show(link, part, controller.signal);
        const timer = setTimeout(() => void show(link, part, controller.signal), TYPING_PAUSE_MS);
        controller.signal.addEventListener("abort", () => clearTimeout(timer));
      },
      retry() {
        const link = lastLink;
        lastLink = currentKey = "";
        get().follow(link, currentPart);
      },
      askForSubtitles() {
        const { view } = get();
        const link = previewedIn(lastLink, videoHosts());
        if (!link || wantsSubtitles || view.phase !== "ready" || !detailsOf(view.preview).withholdsSubtitles) return;
        wantsSubtitles = true;
        current?.abort();
        current = new AbortController();
        void show(link, currentPart, current.signal);
      },
    };
  });
}
