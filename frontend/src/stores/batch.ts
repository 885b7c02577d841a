/** State of the batch form: its lines, the rejected ones, and the request in progress. */
import { createStore } from "zustand/vanilla";
import type { RefusedLine } from "../../../common/api.ts";
import type { ConversionChoices } from "../../../common/choices.ts";
import type { Job } from "../../../common/job.ts";
import { TIERS } from "../../../common/tiers.ts";
import type { Format } from "../../../common/tiers.ts";
import type { Requests } from "../outbox/requests.ts";
import type { Problem } from "./converter.ts";
import type { Notify } from "./notice.ts";

export const MAX_BATCH_LINKS = TIERS.pro.batchSize;

/** What the page finds wrong with the text, or why the server has refused it as a whole. */
export type BatchProblem = "noLinks" | "tooMany" | Problem;

/** A link that was not started. */
export interface RefusedLink extends RefusedLine {
  /** Of a video that was chosen from a list, which has no line. */
  readonly title?: string;
}

export interface BatchState {
  /** Whether the user chose the batch form; only Pro users can. */
  readonly isChosen: boolean;
  readonly text: string;
  /** Shown next to the field until the text changes. */
  readonly problem: BatchProblem | null;
  /** Rejected lines, numbered as in the field, or videos that were chosen from a list. */
  readonly refused: readonly RefusedLink[];
  readonly isPending: boolean;
  readonly choose: (isChosen: boolean) => void;
  readonly setText: (text: string) => void;
  /** Puts the refused links into the field. */
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

export function createBatchStore(parts: BatchParts) {
  return createStore<BatchState>()((set, get) => ({
    isChosen: false,
    text: "",
    problem: null,
    refused: [],
    isPending: false,
    choose: (isChosen) => set({ isChosen, problem: null }),
    setText: (text) => set({ text, problem: null }),
    editRefused: () =>
      set(({ refused }) => ({
        isChosen: true,
        text: refused.map(({ url }) => url).join("\n"),
        refused: [],
        problem: null,
      })),
    // Loaded with the form for batches.
    submit: async () => (await import("./submit-batch.ts")).submitBatch(parts, { get, set }),
  }));
}
