/** What the link in the field leads to, looked up while it stands there. */
import { createStore } from "zustand/vanilla";
import { ZodError } from "zod";
import { MAX_LINK_LENGTH } from "../../../common/api.ts";
import type { Preview } from "../../../common/api.ts";
import type { ErrorBody } from "../../../common/errors.ts";
import type { Tier } from "../../../common/tiers.ts";
import { ApiError, isAbort } from "../api/api.ts";
import type { Api } from "../api/api.ts";
import { linkProblem } from "./converter.ts";

/** How long fingers rest before a typed link is looked up; a pasted one is at once. */
export const TYPING_PAUSE_MS = 350;

export type PreviewView =
  | { readonly phase: "none" }
  | { readonly phase: "loading" }
  | { readonly phase: "ready"; readonly preview: Preview }
  /** The error is null when the server did not say in its own words what is wrong. */
  | { readonly phase: "failed"; readonly error: ErrorBody | null };

export interface PreviewState {
  readonly view: PreviewView;
  /** To be told the text of the field, again and again; a look under way at anything else is given up. */
  readonly follow: (link: string) => void;
}

export interface PreviewParts {
  readonly look: Api["preview"];
  readonly videoHosts: () => readonly string[];
  /** Sizes and qualities are those of a tier. */
  readonly tier: () => Tier;
  readonly savesData: () => boolean;
}

export type PreviewStore = ReturnType<typeof createPreviewStore>;

const NONE: PreviewView = { phase: "none" };

/** A link that names more than its host. */
function leadsSomewhere(link: string, videoHosts: readonly string[]): boolean {
  if (link.length > MAX_LINK_LENGTH || linkProblem(link, videoHosts) !== null) return false;
  const url = URL.parse(/^https?:\/\//i.test(link) ? link : `https://${link}`);
  return url !== null && url.pathname.length + url.search.length > 1;
}

export function createPreviewStore({ look, videoHosts, tier, savesData }: PreviewParts) {
  let followed = "";
  let wanted = "";
  let current: AbortController | null = null;

  return createStore<PreviewState>()((set) => {
    async function show(link: string, signal: AbortSignal): Promise<void> {
      try {
        const preview = await look({ youtubeUrl: link, thumbnail: !savesData() }, signal);
        if (!signal.aborted) set({ view: { phase: "ready", preview } });
      } catch (error) {
        if (signal.aborted || isAbort(error)) return;
        // The conversion may do nevertheless: no network for a moment, or a server that looks at no more.
        if (!(error instanceof ApiError || error instanceof TypeError || error instanceof ZodError)) throw error;
        set({ view: { phase: "failed", error: (error instanceof ApiError && error.body) || null } });
      }
    }

    return {
      view: NONE,
      follow(text) {
        const link = text.trim();
        const isTyped = Math.abs(link.length - followed.length) <= 1;
        followed = link;
        const next = leadsSomewhere(link, videoHosts()) ? `${tier()} ${link}` : "";
        if (next === wanted) return;
        wanted = next;
        current?.abort();
        current = null;
        if (next === "") return set({ view: NONE });
        const own = new AbortController();
        current = own;
        set({ view: { phase: "loading" } });
        if (!isTyped) return void show(link, own.signal);
        const timer = setTimeout(() => void show(link, own.signal), TYPING_PAUSE_MS);
        own.signal.addEventListener("abort", () => clearTimeout(timer));
      },
    };
  });
}
