/** State of the form for a single link: its text, the check of the link, and the request in progress. */
import { createStore } from "zustand/vanilla";
import type { Album, ConversionChoices } from "../../../common/choices.ts";
import type { Job } from "../../../common/job.ts";
import type { ListEntry } from "../../../common/lists.ts";
import { INTERNAL_SENTENCE } from "../../../common/reasons.ts";
import type { ErrorBody } from "../../../common/error-codes.ts";
import type { Format } from "../../../common/tiers.ts";
import { ApiError, isAbort, sentenceFor } from "../api/errors.ts";
import { OutboxFull, WaitsForNetwork } from "../outbox/errors.ts";
import type { Requests } from "../outbox/requests.ts";
import type { Notice, Notify } from "./notice.ts";
import type { Texts } from "../texts/en.ts";
import { currentTexts, sentenceOf } from "../texts/store.ts";
import { isOffered } from "./offered-formats.ts";
import { awaitsReader, isPlain, mayHoldLink, readNow, readText } from "./text-reader.ts";

/** `unknown`: there is no link. */
export type LinkProblem = "empty" | "unknown" | "unsupported_host";

/** What the page finds wrong with the link, or why the server has refused its conversion. */
export type Problem = LinkProblem | "full" | ErrorBody;

/**
 * Checks the text of the field. The server has a sentence for a link that is refused for a reason of its own.
 * @param videoHosts null while unknown: then a link to any host passes, and the server decides
 * @returns null when the server should be asked, also as long as the text cannot be read here
 */
export function linkProblem(link: string, videoHosts: readonly string[] | null): LinkProblem | null {
  const text = link.trim();
  if (text === "") return "empty";
  const found = readNow(text, videoHosts);
  if (isPlain(text, videoHosts) || (found ? found.links.length > 0 : mayHoldLink(text))) return null;
  return found?.isForeign ? "unsupported_host" : "unknown";
}

export function problemSentence(problem: Problem, { errors, converter, network }: Texts): string {
  if (typeof problem === "object") return sentenceOf(problem);
  if (problem === "full") return network.notices.full;
  return problem === "unsupported_host" ? errors[problem] : converter.problems[problem];
}

/** @returns for a failure without an error body one whose sentence says what to do */
export function problemOf(error: unknown): Problem {
  if (error instanceof OutboxFull) return "full";
  return (error instanceof ApiError && error.body) || { code: "internal", message: INTERNAL_SENTENCE };
}

/** A video that was chosen from a list. */
export interface ChosenVideo extends Pick<ListEntry, "link" | "title" | "durationSeconds"> {
  /** Present when the list is an album. */
  readonly album?: Album | undefined;
}

/** The list that is shown for the link in the field: Convert is about what is chosen from it. */
export interface ShownList {
  /** Why nothing can be started; null when it can. */
  readonly problem: () => Notice | null;
  /**
   * @returns the video to convert; null when several were chosen and have been started
   * @throws what {@link Requests.createConversion} throws
   */
  readonly start: (signal: AbortSignal) => Promise<ChosenVideo | null>;
}

export interface ConverterState {
  readonly link: string;
  readonly format: Format;
  /** The visitor's last choice of MP3 or MP4, which stays for the next link. */
  readonly usualFormat: Format;
  /** Shown in the place of the preview until the link or the format changes. */
  readonly problem: Problem | null;
  readonly isPending: boolean;
  /** Null unless the visitor chooses from a list. */
  readonly list: ShownList | null;
  /** Goes back to the usual format: another one was chosen for the link before. */
  readonly setLink: (link: string) => void;
  readonly showList: (list: ShownList | null) => void;
  readonly setFormat: (format: Format) => void;
  /** Must be called when other links are in the batch form; see {@link ConverterState.setLink}. */
  readonly forgetFormat: () => void;
  /** Resolves when the request has succeeded or failed. */
  readonly submit: () => Promise<void>;
  /** Aborts the request in progress and empties the field. */
  readonly cancel: () => void;
}

export interface ConverterParts {
  readonly createConversion: Requests["createConversion"];
  /** Called before the field is emptied. */
  readonly onCreated: (job: Job, link: string, chosen?: ChosenVideo) => void;
  /** Whether the visitor sees the new job without a toast. */
  readonly isJobInView: () => boolean;
  readonly notify: Notify;
  /** Null until they are known. */
  readonly videoHosts: () => readonly string[] | null;
  /** What is chosen beside the format. */
  readonly choices: (format: Format, album?: Album) => ConversionChoices | undefined;
  /** Why the link in the field cannot be converted to the format; null when it may succeed. */
  readonly refusal: (format: Format) => string | null;
}

export type ConverterStore = ReturnType<typeof createConverterStore>;

function problemNotice(problem: LinkProblem): Notice {
  const texts = currentTexts();
  return { kind: "error", title: texts.converter.notices.invalid, description: problemSentence(problem, texts) };
}

/** The toast for a request that waits for the network. */
export function keptNotice(): Notice {
  return { kind: "info", about: "network", ...currentTexts().network.notices.kept };
}

/**
 * The toast for a conversion that could not be requested, or not yet.
 * @param words of it where the server has no sentence
 */
export function failureNotice(
  error: unknown,
  words: Required<Pick<Notice, "title" | "description">> = currentTexts().converter.notices.failed,
): Notice {
  if (error instanceof WaitsForNetwork) return keptNotice();
  const fallback = error instanceof OutboxFull ? currentTexts().network.notices.full : words.description;
  return { kind: "error", title: words.title, description: sentenceFor(error, fallback) };
}

export function createConverterStore(parts: ConverterParts) {
  const { createConversion, onCreated, isJobInView, notify, videoHosts, choices, refusal } = parts;
  let request: AbortController | null = null;

  return createStore<ConverterState>()((set, get) => {
    const putLink = (link: string, changes: Partial<ConverterState> = {}) =>
      set((state) => {
        const format = link.trim() === state.link.trim() ? state.format : state.usualFormat;
        return { link, format, ...changes };
      });

    async function send(controller: AbortController): Promise<void> {
      try {
        const { format, list } = get();
        const chosen = list ? await list.start(controller.signal) : undefined;
        if (chosen === null) return putLink("");
        const link = chosen?.link ?? get().link.trim();
        const input = { youtubeUrl: link, format, choices: choices(format, chosen?.album) };
        onCreated(await createConversion(input, controller.signal), link, chosen);
        if (controller.signal.aborted) return;
        putLink("");
        if (!isJobInView()) notify({ kind: "success", ...currentTexts().converter.notices.started });
      } catch (error) {
        // A canceled request has nothing more to tell.
        if (isAbort(error) || request !== controller) return;
        if (error instanceof WaitsForNetwork) {
          putLink("");
          return notify(keptNotice());
        }
        set({ problem: problemOf(error) });
        notify(failureNotice(error));
      }
    }

    return {
      link: "",
      format: "mp3",
      usualFormat: "mp3",
      problem: null,
      isPending: false,
      list: null,
      setLink: (link) => putLink(link, { problem: null }),
      showList: (list) => set({ list }),
      setFormat: (format) =>
        set((state) => ({ format, usualFormat: isOffered(format) ? format : state.usualFormat, problem: null })),
      forgetFormat: () => set((state) => ({ format: state.usualFormat })),
      async submit() {
        const text = get().link.trim();
        if (awaitsReader(text, videoHosts())) await readText(text, videoHosts());
        if (request) return;
        const { link, format, list } = get();
        const problem = linkProblem(link, videoHosts());
        if (problem !== null) {
          set({ problem });
          return notify(problemNotice(problem));
        }
        const reason = list ? null : refusal(format);
        if (reason !== null) return notify({ ...failureNotice(null), description: reason });
        set({ problem });
        const listProblem = list?.problem() ?? null;
        if (listProblem) return notify(listProblem);
        const controller = new AbortController();
        request = controller;
        set({ isPending: true });
        try {
          await send(controller);
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
        putLink("", { problem: null, isPending: false });
        notify({ kind: "info", ...currentTexts().converter.notices.canceled });
      },
    };
  });
}
