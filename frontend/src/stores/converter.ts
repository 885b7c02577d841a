/** The form that starts a conversion: what is typed, whether it will do, and the request under way. */
import { createStore } from "zustand/vanilla";
import type { Job } from "../../../common/job.ts";
import type { Format } from "../../../common/tiers.ts";
import { isAbort, sentenceFor } from "../api/api.ts";
import { OutboxFull } from "../outbox/outbox.ts";
import { KeptForLater } from "../outbox/requests.ts";
import type { Requests } from "../outbox/requests.ts";
import type { Notify } from "./notice.ts";
import { currentTexts } from "../texts/store.ts";

/** Known wherever the server runs; the operator's own hosts come with the configuration. */
const ALWAYS_KNOWN_HOSTS = ["youtube.com", "youtu.be"];

/** `unknown`: not of a host we know. */
export type LinkProblem = "empty" | "unknown";

/** What is wrong with a link at first sight, or null. The server looks closer. */
export function linkProblem(link: string, videoHosts: readonly string[] | null): LinkProblem | null {
  const text = link.trim().toLowerCase();
  if (text === "") return "empty";
  // Whoever is faster than the list of hosts gets the server's own answer.
  const isForServer = videoHosts === null && /^https?:\/\/./.test(text);
  const isKnown =
    isForServer || [...ALWAYS_KNOWN_HOSTS, ...(videoHosts ?? [])].some((host) => text.includes(host.toLowerCase()));
  return isKnown ? null : "unknown";
}

export interface ConverterState {
  readonly link: string;
  readonly format: Format;
  /** Shown at the field until the link changes. */
  readonly problem: LinkProblem | null;
  readonly isPending: boolean;
  readonly setLink: (link: string) => void;
  readonly setFormat: (format: Format) => void;
  /** Resolves when the request has ended, however it ended. */
  readonly submit: () => Promise<void>;
  /** Gives up the request under way and empties the field. */
  readonly cancel: () => void;
}

export interface ConverterParts {
  readonly createConversion: Requests["createConversion"];
  /** Told before the field is emptied. */
  readonly onCreated: (job: Job) => void;
  readonly notify: Notify;
  /** Null until they are known. */
  readonly videoHosts: () => readonly string[] | null;
}

export type ConverterStore = ReturnType<typeof createConverterStore>;

export function createConverterStore({ createConversion, onCreated, notify, videoHosts }: ConverterParts) {
  let request: AbortController | null = null;

  return createStore<ConverterState>()((set, get) => ({
    link: "",
    format: "mp3",
    problem: null,
    isPending: false,
    setLink: (link) => set({ link, problem: null }),
    setFormat: (format) => set({ format }),
    async submit() {
      if (request) return;
      const { link, format } = get();
      const problem = linkProblem(link, videoHosts());
      set({ problem });
      if (problem !== null) {
        const { notices, problems } = currentTexts().converter;
        notify({ kind: "error", title: notices.invalid, description: problems[problem] });
        return;
      }
      const own = new AbortController();
      request = own;
      set({ isPending: true });
      try {
        onCreated(await createConversion({ youtubeUrl: link.trim(), format }, own.signal));
        if (own.signal.aborted) return;
        set({ link: "" });
        notify({ kind: "success", ...currentTexts().converter.notices.started });
      } catch (error) {
        if (isAbort(error)) return;
        if (error instanceof KeptForLater) {
          if (request === own) set({ link: "" });
          return notify({ kind: "info", ...currentTexts().network.notices.kept });
        }
        const { title, description } = currentTexts().converter.notices.failed;
        notify({
          kind: "error",
          title,
          description: sentenceFor(
            error,
            error instanceof OutboxFull ? currentTexts().network.notices.full : description,
          ),
        });
      } finally {
        if (request === own) {
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
  }));
}
