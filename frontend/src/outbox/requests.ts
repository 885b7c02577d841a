/** The API calls that change data, sent through the outbox: each takes effect once, also after a network failure. */
import type { CreateBatch, CreateConversion, BatchAnswer } from "../../../common/api.ts";
import type { Job } from "../../../common/job.ts";
import type { CreateSelection, SelectionAnswer } from "../../../common/lists.ts";
import { ApiError, isAbort } from "../api/errors.ts";
import { newRequestKey } from "../api/http-client.ts";
import { withTimeout } from "../api/with-timeout.ts";
import type { Api } from "../api/api.ts";
import type { Outbox, SubmitOptions } from "./outbox.ts";
import type {
  BatchEntry,
  ConvertBatchEntry,
  ConvertEntry,
  ConvertSelectionEntry,
  JobEntry,
  OutboxEntry,
  TakeBackEntry,
} from "./entries.ts";

/** Longer than a reachable server takes for any of these calls. */
const TIMEOUT_MS = 20_000;

/** The request waits for the network; its answer is delivered through the `onLate…` callbacks. */
export class WaitsForNetwork extends Error {
  override readonly name = "WaitsForNetwork";
}

export interface RequestParts {
  readonly api: Pick<
    Api,
    | "createConversion"
    | "createBatch"
    | "createSelection"
    | "cancelConversion"
    | "removeConversion"
    | "retryConversion"
    | "cancelBatch"
    | "retryBatch"
    | "getConversion"
  >;
  readonly outbox: Outbox;
  readonly viewerId: () => string | null | undefined;
  /** Answer to a waiting request. */
  readonly onLateJob: (job: Job, link: string) => void;
  /** Answer to a waiting request for a batch. */
  readonly onLateBatch: (answer: BatchAnswer) => void;
  /** Refusal of a waiting request. */
  readonly onLateRefusal: (error: unknown, kind: "convert" | "convertBatch") => void;
}

/** Sends one entry with the API call of its kind. */
function createSender(api: RequestParts["api"]) {
  const convert =
    ({ youtubeUrl, format, choices, key }: Pick<ConvertEntry, "youtubeUrl" | "format" | "choices" | "key">) =>
    (signal: AbortSignal) =>
      api.createConversion({ youtubeUrl, format, choices }, signal, key);

  /** A 409 to a retry means that the first try took effect and its answer was lost: the current job is the answer. */
  async function orCurrentJob(call: Promise<Job>, id: string, isRetry: boolean, signal: AbortSignal): Promise<Job> {
    try {
      return await call;
    } catch (error) {
      if (isRetry && error instanceof ApiError && error.status === 409) return api.getConversion(id, signal);
      throw error;
    }
  }

  return {
    convert,
    /** The same request under the same key is answered with the job that the first one made. */
    takeBack:
      (entry: TakeBackEntry) =>
      async (signal: AbortSignal): Promise<unknown> =>
        api.removeConversion((await convert({ ...entry, key: entry.convertKey })(signal)).id, signal),
    convertBatch:
      ({ urls, format, choices, key }: ConvertBatchEntry) =>
      (signal: AbortSignal) =>
        api.createBatch({ urls, format, choices }, signal, key),
    convertSelection:
      ({ title, urls, format, choices, key }: ConvertSelectionEntry) =>
      (signal: AbortSignal) =>
        api.createSelection({ title, urls, format, choices }, signal, key),
    changeBatch:
      ({ kind, id, key }: BatchEntry) =>
      (signal: AbortSignal): Promise<Job[]> =>
        kind === "cancelBatch" ? api.cancelBatch(id, signal) : api.retryBatch(id, signal, key),
    /** The returned function gives null for a removed job. */
    changeJob({ kind, id, key, isKept }: JobEntry): (signal: AbortSignal) => Promise<Job | null> {
      let tries = isKept ? 1 : 0;
      return async (signal) => {
        const isRetry = tries++ > 0;
        if (kind === "cancel") return orCurrentJob(api.cancelConversion(id, signal), id, isRetry, signal);
        if (kind === "retry") return orCurrentJob(api.retryConversion(id, signal, key), id, isRetry, signal);
        await api.removeConversion(id, signal);
        return null;
      };
    },
  };
}

/**
 * @returns the answer of a submitted entry; rejects with {@link WaitsForNetwork} as soon as the entry waits, and calls
 * `followLate` with the promise of the late answer
 */
function answerOrWaiting<Answer>(
  submit: (onWaiting: () => void) => Promise<Answer>,
  followLate: (answer: Promise<Answer>) => void,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const answer = submit(() => {
      reject(new WaitsForNetwork());
      // Offline, this callback runs before `submit` has returned the promise.
      queueMicrotask(() => followLate(answer));
    });
    answer.then(resolve, reject);
  });
}

/** Passes an answer or a refusal to its callback; a withdrawn request has neither. */
function deliverLate<Answer>(
  answer: Promise<Answer>,
  onAnswer: (answer: Answer) => void,
  onRefusal: (error: unknown) => void,
): void {
  answer.then(onAnswer, (error: unknown) => {
    if (!isAbort(error)) onRefusal(error);
  });
}

export type Requests = ReturnType<typeof createRequests>;

export function createRequests({ api, outbox, viewerId, onLateJob, onLateBatch, onLateRefusal }: RequestParts) {
  const sender = createSender(api);
  const submit = <Answer>(
    entry: OutboxEntry,
    send: (signal: AbortSignal) => Promise<Answer>,
    options?: SubmitOptions,
  ): Promise<Answer> => outbox.submit(entry, (signal) => send(withTimeout(signal, TIMEOUT_MS)), options);
  const newEntry = () => ({ key: newRequestKey(), madeAtMs: Date.now(), madeBy: viewerId() ?? null, isKept: false });

  /** Delivers the answer of a request whose caller does not wait any more. */
  const followJob = (answer: Promise<Job>, link: string) =>
    deliverLate(
      answer,
      (job) => onLateJob(job, link),
      (error) => onLateRefusal(error, "convert"),
    );
  const followBatch = (answer: Promise<BatchAnswer>) =>
    deliverLate(answer, onLateBatch, (error) => onLateRefusal(error, "convertBatch"));

  const submitSelection = (entry: ConvertSelectionEntry, onWaiting?: () => void): Promise<SelectionAnswer> =>
    submit(entry, sender.convertSelection(entry), { onWaiting });

  const submitForJob = (entry: JobEntry, after?: Promise<void>): Promise<Job | null> =>
    submit(entry, sender.changeJob(entry), { after });
  const submitForBatch = (entry: BatchEntry, after?: Promise<void>): Promise<Job[]> =>
    submit(entry, sender.changeBatch(entry), { after });
  const changeJob =
    (kind: JobEntry["kind"]) =>
    (id: string, after?: Promise<void>): Promise<Job | null> =>
      submitForJob({ ...newEntry(), kind, id }, after);
  const changeBatch =
    (kind: BatchEntry["kind"]) =>
    (id: string, jobIds: readonly string[], after?: Promise<void>): Promise<Job[]> =>
      submitForBatch({ ...newEntry(), kind, id, jobIds: [...jobIds] }, after);

  /** A temporary refusal is retried. After any other there is no job to remove. */
  const submitTakeBack = (entry: TakeBackEntry): void =>
    void submit(entry, sender.takeBack(entry)).catch(() => undefined);
  /** Withdraws a request. When the server may have it already, the job of a single conversion is removed. */
  function takeBack(key: string): void {
    const entry = outbox.withdraw(key);
    if (entry?.kind === "convert" && entry.isSent)
      // As old as the key that it repeats, which the server forgets after some time.
      submitTakeBack({ ...entry, ...newEntry(), madeAtMs: entry.madeAtMs, kind: "takeBack", convertKey: key });
  }

  return {
    takeBack,
    /** Rejects as the API call does, and with {@link WaitsForNetwork} or OutboxFull. */
    createConversion: (input: Omit<CreateConversion, "quality">, signal?: AbortSignal): Promise<Job> => {
      const entry: ConvertEntry = { ...newEntry(), kind: "convert", ...input };
      signal?.addEventListener("abort", () => takeBack(entry.key), { once: true });
      return answerOrWaiting(
        (onWaiting) => submit(entry, sender.convert(entry), { onWaiting }),
        (answer) => followJob(answer, input.youtubeUrl),
      );
    },
    /** Rejects as the API call does, and with {@link WaitsForNetwork} or OutboxFull. */
    createBatch: (input: Omit<CreateBatch, "quality">): Promise<BatchAnswer> => {
      const entry: ConvertBatchEntry = { ...newEntry(), kind: "convertBatch", ...input };
      return answerOrWaiting((onWaiting) => submit(entry, sender.convertBatch(entry), { onWaiting }), followBatch);
    },
    /** Rejects as the API call does, and with {@link WaitsForNetwork} or OutboxFull. */
    createSelection: (input: Omit<CreateSelection, "quality">, signal: AbortSignal): Promise<SelectionAnswer> => {
      const entry: ConvertSelectionEntry = { ...newEntry(), kind: "convertSelection", ...input };
      signal.addEventListener("abort", () => outbox.withdraw(entry.key), { once: true });
      return answerOrWaiting((onWaiting) => submitSelection(entry, onWaiting), followBatch);
    },

    // The page shows the outcome of these at the click, so their promises may stay open while the network is away.
    // Each is sent after the earlier requests about the same job or batch.
    cancelConversion: changeJob("cancel"),
    retryConversion: changeJob("retry"),
    /** Gives null. */
    removeConversion: changeJob("remove"),
    cancelBatch: changeBatch("cancelBatch"),
    retryBatch: changeBatch("retryBatch"),

    /** Submits an entry of an earlier page again, under the same key. */
    resumeConvert: (entry: ConvertEntry) => followJob(submit(entry, sender.convert(entry)), entry.youtubeUrl),
    /** Submits an entry of an earlier page again, under the same key. */
    resumeBatch: (entry: ConvertBatchEntry) => followBatch(submit(entry, sender.convertBatch(entry))),
    /** Submits an entry of an earlier page again, under the same key. */
    resumeSelection: (entry: ConvertSelectionEntry) => followBatch(submitSelection(entry)),
    resumeTakeBack: submitTakeBack,
    resumeForJob: submitForJob,
    resumeForBatch: submitForBatch,
  };
}
