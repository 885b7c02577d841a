/** State of the batch form: its lines, the rejected ones, and the request in progress. */
import { createStore } from "zustand/vanilla";
import type { RefusedLine } from "../../../common/api.ts";
import type { ConversionChoices } from "../../../common/choices.ts";
import { SENTENCES } from "../../../common/errors.ts";
import type { Job } from "../../../common/job.ts";
import { TIERS } from "../../../common/tiers.ts";
import type { Format } from "../../../common/tiers.ts";
import { sentenceFor } from "../api/errors.ts";
import { OutboxFull } from "../outbox/outbox.ts";
import { WaitsForNetwork } from "../outbox/requests.ts";
import type { Requests } from "../outbox/requests.ts";
import type { Notify } from "./notice.ts";
import { currentTexts } from "../texts/store.ts";
import { linkProblem } from "./converter.ts";

export const MAX_BATCH_LINKS = TIERS.pro.batchSize;

/** A non-empty line; `line` is its number in the text, from 1. */
export interface Line {
  readonly line: number;
  readonly url: string;
}

/** Splits the trimmed, non-empty lines of a text into possible links and all others. */
export function findLinks(text: string, videoHosts: readonly string[]): { links: Line[]; others: Line[] } {
  const lines = text
    .split(/\r?\n/)
    .map((raw, index): Line => ({ line: index + 1, url: raw.trim() }))
    .filter(({ url }) => url !== "");
  return {
    links: lines.filter(({ url }) => linkProblem(url, videoHosts) === null),
    others: lines.filter(({ url }) => linkProblem(url, videoHosts) !== null),
  };
}

export type BatchProblem = "noLinks" | "tooMany";

export interface BatchState {
  /** Whether the user chose the batch form; only Pro users can. */
  readonly isChosen: boolean;
  readonly text: string;
  /** Shown next to the field until the text changes. */
  readonly problem: BatchProblem | null;
  /** Rejected lines, numbered as in the field. */
  readonly refused: readonly RefusedLine[];
  readonly isPending: boolean;
  readonly choose: (isChosen: boolean) => void;
  readonly setText: (text: string) => void;
  /** Puts the refused lines back into the field. */
  readonly editRefused: () => void;
  /** Resolves when the request has succeeded or failed. */
  readonly submit: () => Promise<void>;
}

export interface BatchParts {
  readonly createBatch: Requests["createBatch"];
  readonly onCreated: (jobs: readonly Job[]) => void;
  readonly notify: Notify;
  readonly videoHosts: () => readonly string[];
  readonly format: () => Format;
  /** What the visitor has chosen for all links. */
  readonly choices: (format: Format) => ConversionChoices | undefined;
}

export type BatchStore = ReturnType<typeof createBatchStore>;

export function createBatchStore({ createBatch, onCreated, notify, videoHosts, format, choices }: BatchParts) {
  return createStore<BatchState>()((set, get) => ({
    isChosen: false,
    text: "",
    problem: null,
    refused: [],
    isPending: false,
    choose: (isChosen) => set({ isChosen, problem: null }),
    setText: (text) => set({ text, problem: null }),
    editRefused: () =>
      set((state) => ({ text: state.refused.map(({ url }) => url).join("\n"), refused: [], problem: null })),
    async submit() {
      if (get().isPending) return;
      const { links, others } = findLinks(get().text, videoHosts());
      const { notices, problems } = currentTexts().converter;
      const problem = links.length === 0 ? "noLinks" : links.length > MAX_BATCH_LINKS ? "tooMany" : null;
      set({ problem, refused: [] });
      if (problem !== null) {
        const description = problem === "noLinks" ? problems.noLinks : problems.tooMany(MAX_BATCH_LINKS);
        return notify({ kind: "error", title: notices[problem], description });
      }
      set({ isPending: true });
      try {
        const wanted = { format: format(), choices: choices(format()) };
        const answer = await createBatch({ urls: links.map(({ url }) => url), ...wanted });
        onCreated(answer.jobs);
        set({ text: "", refused: refusedLines(links, others, answer.refused) });
        const { title, description } = notices.batchStarted;
        notify({ kind: "success", title, description: description(answer.jobs.length) });
      } catch (error) {
        if (error instanceof WaitsForNetwork) {
          set({ text: "", refused: refusedLines(links, others, []) });
          return notify({ kind: "info", ...currentTexts().network.notices.kept });
        }
        const { title, description } = notices.batchFailed;
        const fallback = error instanceof OutboxFull ? currentTexts().network.notices.full : description;
        notify({ kind: "error", title, description: sentenceFor(error, fallback) });
      } finally {
        set({ isPending: false });
      }
    },
  }));
}

/** @returns rejected and unsent lines with the line numbers of the field; the server numbers only the sent ones */
function refusedLines(sent: readonly Line[], unsent: readonly Line[], refused: readonly RefusedLine[]): RefusedLine[] {
  return [
    ...refused.map((refusal) => ({ ...refusal, line: sent[refusal.line - 1]?.line ?? refusal.line })),
    ...unsent.map(({ line, url }): RefusedLine => ({
      line,
      url,
      code: "invalid_link",
      message: SENTENCES.invalid_link,
    })),
  ].sort((a, b) => a.line - b.line);
}
