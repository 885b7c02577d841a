/** State of the form for a single link: its text, the check of the link, and the request in progress. */
import { createStore } from "zustand/vanilla";
import type { Job } from "../../../common/job.ts";
import type { Format } from "../../../common/tiers.ts";
import { isAbort, sentenceFor } from "../api/errors.ts";
import { OutboxFull } from "../outbox/outbox.ts";
import { WaitsForNetwork } from "../outbox/requests.ts";
import type { Requests } from "../outbox/requests.ts";
import type { Notice, Notify } from "./notice.ts";
import { currentTexts } from "../texts/store.ts";

/** Accepted before the configuration with the operator's own hosts has arrived. */
const DEFAULT_HOSTS = ["youtube.com", "youtu.be"];

/** `unknown`: the link is not of an accepted host. */
export type LinkProblem = "empty" | "unknown";

/**
 * Checks a link roughly while the user types; the server checks it exactly.
 * @param videoHosts null while unknown: then any HTTP link passes, and the server decides
 * @returns null when the link may be valid
 */
export function linkProblem(link: string, videoHosts: readonly string[] | null): LinkProblem | null {
  const text = link.trim().toLowerCase();
  if (text === "") return "empty";
  if (videoHosts === null && /^https?:\/\/./.test(text)) return null;
  const isKnown = [...DEFAULT_HOSTS, ...(videoHosts ?? [])].some((host) => text.includes(host.toLowerCase()));
  return isKnown ? null : "unknown";
}

export interface ConverterState {
  readonly link: string;
  readonly format: Format;
  /** Shown next to the field until the link changes. */
  readonly problem: LinkProblem | null;
  readonly isPending: boolean;
  readonly setLink: (link: string) => void;
  readonly setFormat: (format: Format) => void;
  /** Resolves when the request has succeeded or failed. */
  readonly submit: () => Promise<void>;
  /** Aborts the request in progress and empties the field. */
  readonly cancel: () => void;
}

export interface ConverterParts {
  readonly createConversion: Requests["createConversion"];
  /** Called before the field is emptied. */
  readonly onCreated: (job: Job) => void;
  readonly notify: Notify;
  /** Null until they are known. */
  readonly videoHosts: () => readonly string[] | null;
}

export type ConverterStore = ReturnType<typeof createConverterStore>;

function problemNotice(problem: LinkProblem): Notice {
  const { notices, problems } = currentTexts().converter;
  return { kind: "error", title: notices.invalid, description: problems[problem] };
}

function failureNotice(error: unknown): Notice {
  const { title, description } = currentTexts().converter.notices.failed;
  const fallback = error instanceof OutboxFull ? currentTexts().network.notices.full : description;
  return { kind: "error", title, description: sentenceFor(error, fallback) };
}

export function createConverterStore({ createConversion, onCreated, notify, videoHosts }: ConverterParts) {
  let request: AbortController | null = null;

  return createStore<ConverterState>()((set, get) => {
    async function send(link: string, controller: AbortController): Promise<void> {
      try {
        onCreated(await createConversion({ youtubeUrl: link, format: get().format }, controller.signal));
        if (controller.signal.aborted) return;
        set({ link: "" });
        notify({ kind: "success", ...currentTexts().converter.notices.started });
      } catch (error) {
        if (isAbort(error)) return;
        if (!(error instanceof WaitsForNetwork)) return notify(failureNotice(error));
        if (request === controller) set({ link: "" });
        notify({ kind: "info", ...currentTexts().network.notices.kept });
      }
    }

    return {
      link: "",
      format: "mp3",
      problem: null,
      isPending: false,
      setLink: (link) => set({ link, problem: null }),
      setFormat: (format) => set({ format }),
      async submit() {
        if (request) return;
        const { link } = get();
        const problem = linkProblem(link, videoHosts());
        set({ problem });
        if (problem !== null) return notify(problemNotice(problem));
        const controller = new AbortController();
        request = controller;
        set({ isPending: true });
        try {
          await send(link.trim(), controller);
        } finally {
          if (request === controller) {
            request = null;
            set({ isPending: false });
          }
        }
      },
      cancel() {
        if (!request) return;
        request.abort();
        request = null;
        set({ link: "", problem: null, isPending: false });
        notify({ kind: "info", ...currentTexts().converter.notices.canceled });
      },
    };
  });
}
