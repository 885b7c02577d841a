/**
 * The calls that change something, as the rest of the client makes them: each arrives once, now or when the network is
 * back.
 */
import type { Job } from "../../../common/job.ts";
import type { Format } from "../../../common/tiers.ts";
import type { BatchAnswer } from "../../../common/api.ts";
import { ApiError, isAbort, newRequestKey } from "../api/api.ts";
import type { Api } from "../api/api.ts";
import type { Outbox } from "./outbox.ts";
import type { BatchWish, ConvertBatchWish, ConvertWish, JobWish } from "./entries.ts";

/** Longer than any of these calls takes a server that is there. */
const TIMEOUT_MS = 20_000;

/** The request waits for the network; its answer goes to the list by itself. */
export class KeptForLater extends Error {
  constructor() {
    super("kept until the network is back");
    this.name = "KeptForLater";
  }
}

export interface RequestParts {
  readonly api: Pick<
    Api,
    | "createConversion"
    | "createBatch"
    | "cancelConversion"
    | "removeConversion"
    | "retryConversion"
    | "cancelBatch"
    | "retryBatch"
    | "getConversion"
  >;
  readonly outbox: Outbox;
  readonly viewerId: () => string | null | undefined;
  /** What a kept request has come to. */
  readonly onLateJob: (job: Job) => void;
  readonly onLateBatch: (answer: BatchAnswer, urls: readonly string[]) => void;
  readonly onLateRefusal: (error: unknown, kind: "convert" | "convertBatch") => void;
}

export type Requests = ReturnType<typeof createRequests>;

export function createRequests({ api, outbox, viewerId, onLateJob, onLateBatch, onLateRefusal }: RequestParts) {
  const within = (signal: AbortSignal) => AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const newWish = () => ({ key: newRequestKey(), madeAtMs: Date.now(), madeBy: viewerId() ?? null, isKept: false });

  /** Follows a request that nobody waits for any more. */
  function follow<Answer>(
    answer: Promise<Answer>,
    use: (answer: Answer) => void,
    kind: "convert" | "convertBatch",
  ): void {
    answer.then(use, (error: unknown) => {
      if (!isAbort(error)) onLateRefusal(error, kind);
    });
  }

  /** Rejects with {@link KeptForLater} as soon as the answer is not to be waited for. */
  function orKept<Answer>(
    submit: (onKept: () => void) => Promise<Answer>,
    followIt: (answer: Promise<Answer>) => void,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const answer = submit(() => {
        reject(new KeptForLater());
        // Without a network it is kept before the promise of the answer is there.
        queueMicrotask(() => followIt(answer));
      });
      answer.then(resolve, reject);
    });
  }

  const sendConvert = (wish: ConvertWish) => (signal: AbortSignal) =>
    api.createConversion({ youtubeUrl: wish.youtubeUrl, format: wish.format }, within(signal), wish.key);
  const sendBatch = (wish: ConvertBatchWish) => (signal: AbortSignal) =>
    api.createBatch({ urls: wish.urls, format: wish.format }, within(signal), wish.key);

  /**
   * An answer that was lost leaves the job as it was wished for, and the wish without a place: then the job itself is
   * the answer.
   */
  async function orAsItIs(id: string, ask: Promise<Job>, isSecondTry: boolean, signal: AbortSignal): Promise<Job> {
    try {
      return await ask;
    } catch (error) {
      if (isSecondTry && error instanceof ApiError && error.status === 409) return api.getConversion(id, signal);
      throw error;
    }
  }

  function sendForJob({ kind, id, key, isKept }: JobWish): (signal: AbortSignal) => Promise<Job | null> {
    let tries = isKept ? 1 : 0;
    return async (own) => {
      const signal = within(own);
      const isSecondTry = tries++ > 0;
      if (kind === "cancel") return orAsItIs(id, api.cancelConversion(id, signal), isSecondTry, signal);
      if (kind === "retry") return orAsItIs(id, api.retryConversion(id, signal, key), isSecondTry, signal);
      await api.removeConversion(id, signal);
      return null;
    };
  }

  const sendForBatch =
    ({ kind, id, key }: BatchWish) =>
    (signal: AbortSignal): Promise<Job[]> =>
      kind === "cancelBatch" ? api.cancelBatch(id, within(signal)) : api.retryBatch(id, within(signal), key);

  const forJob = (wish: JobWish): Promise<Job | null> => outbox.submit(wish, sendForJob(wish));
  const forBatch = (wish: BatchWish): Promise<Job[]> => outbox.submit(wish, sendForBatch(wish));

  return {
    /** Rejects as the call does, and with {@link KeptForLater} or OutboxFull. */
    createConversion: (input: { youtubeUrl: string; format: Format }, signal?: AbortSignal): Promise<Job> => {
      const wish: ConvertWish = { ...newWish(), kind: "convert", ...input };
      signal?.addEventListener("abort", () => outbox.takeBack(wish.key), { once: true });
      return orKept(
        (onKept) => outbox.submit(wish, sendConvert(wish), onKept),
        (answer) => follow(answer, onLateJob, "convert"),
      );
    },
    createBatch: ({ urls, format }: { urls: string[]; format: Format }): Promise<BatchAnswer> => {
      const wish: ConvertBatchWish = { ...newWish(), kind: "convertBatch", urls, format };
      return orKept(
        (onKept) => outbox.submit(wish, sendBatch(wish), onKept),
        (answer) => follow(answer, (got) => onLateBatch(got, urls), "convertBatch"),
      );
    },

    // These are shown as done at the click, so they may take as long as the network is away.
    cancelConversion: async (id: string): Promise<Job> => asJob(await forJob({ ...newWish(), kind: "cancel", id })),
    retryConversion: async (id: string): Promise<Job> => asJob(await forJob({ ...newWish(), kind: "retry", id })),
    removeConversion: async (id: string): Promise<void> => void (await forJob({ ...newWish(), kind: "remove", id })),
    cancelBatch: (id: string, jobIds: readonly string[]) =>
      forBatch({ ...newWish(), kind: "cancelBatch", id, jobIds: [...jobIds] }),
    retryBatch: (id: string, jobIds: readonly string[]) =>
      forBatch({ ...newWish(), kind: "retryBatch", id, jobIds: [...jobIds] }),

    /** What an earlier page has left: the same wish, under the same key. */
    resumeConvert: (wish: ConvertWish) => follow(outbox.submit(wish, sendConvert(wish)), onLateJob, "convert"),
    resumeBatch: (wish: ConvertBatchWish) =>
      follow(outbox.submit(wish, sendBatch(wish)), (got) => onLateBatch(got, wish.urls), "convertBatch"),
    resumeForJob: forJob,
    resumeForBatch: forBatch,
  };
}

function asJob(job: Job | null): Job {
  if (job === null) throw new Error("a call that answers with the job has answered without");
  return job;
}
