/** The API calls that change data, sent through the outbox: each takes effect once, also after a network failure. */
import type { CreateBatch, CreateConversion, BatchAnswer, SelectionAnswer } from "../../../common/api.ts";
import type { Job } from "../../../common/job.ts";
import type { CreateSelection } from "../../../common/lists.ts";
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
import { WaitsForNetwork } from "./errors.ts";

/** Longer than a reachable server takes for any of these calls. */
const TIMEOUT_MS = 20_000;

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

export function createRequests(parts: RequestParts) {
  const submit = createSubmit(parts);
  return { ...conversionRequests(submit, parts), ...changeRequests(submit) };
}

type Submit = ReturnType<typeof createSubmit>;

/** Gives entries to the outbox, new ones and those of an earlier page. Each rejects as its API call does. */
function createSubmit({ api, outbox, viewerId }: RequestParts) {
  const submit = <Answer>(
    entry: OutboxEntry,
    send: (signal: AbortSignal) => Promise<Answer>,
    options?: SubmitOptions,
  ): Promise<Answer> => outbox.submit(entry, (signal) => send(withTimeout(signal, TIMEOUT_MS)), options);
  const convert = (
    { youtubeUrl, format, choices }: Pick<ConvertEntry, "youtubeUrl" | "format" | "choices">,
    signal: AbortSignal,
    key: string,
  ) => api.createConversion({ youtubeUrl, format, choices }, signal, key);

  return {
    newEntry: () => ({ key: newRequestKey(), madeAtMs: Date.now(), madeBy: viewerId() ?? null, isKept: false }),
    convert: (entry: ConvertEntry, options?: SubmitOptions) =>
      submit(entry, (signal) => convert(entry, signal, entry.key), options),
    convertBatch: (entry: ConvertBatchEntry, options?: SubmitOptions) => {
      const { urls, format, choices, key } = entry;
      return submit(entry, (signal) => api.createBatch({ urls, format, choices }, signal, key), options);
    },
    convertSelection: (entry: ConvertSelectionEntry, options?: SubmitOptions) => {
      const { title, urls, tracks, asOneFile, format, choices, key } = entry;
      return submit(
        entry,
        (signal) => api.createSelection({ title, urls, tracks, asOneFile, format, choices }, signal, key),
        options,
      );
    },
    /** A temporary refusal is retried. After any other there is no job to remove. */
    takeBack: (entry: TakeBackEntry): void => {
      // The same request under the same key is answered with the job that the first one made.
      const send = async (signal: AbortSignal) =>
        api.removeConversion((await convert(entry, signal, entry.convertKey)).id, signal);
      void submit(entry, send).catch(() => undefined);
    },
    /** Gives null for a removed job. */
    changeJob: (entry: JobEntry, after?: Promise<void>) => submit(entry, jobSender(api, entry), { after }),
    changeBatch: (entry: BatchEntry, after?: Promise<void>): Promise<Job[]> => {
      const { kind, id, key } = entry;
      const send = (signal: AbortSignal) =>
        kind === "cancelBatch" ? api.cancelBatch(id, signal) : api.retryBatch(id, signal, key);
      return submit(entry, send, { after });
    },
  };
}

/** @returns what sends the entry; it gives null for a removed job */
function jobSender(api: RequestParts["api"], { kind, id, key, isKept }: JobEntry) {
  let tries = isKept ? 1 : 0;
  return async (signal: AbortSignal): Promise<Job | null> => {
    const isRetry = tries++ > 0;
    try {
      if (kind === "cancel") return await api.cancelConversion(id, signal);
      if (kind === "retry") return await api.retryConversion(id, signal, key);
      await api.removeConversion(id, signal);
      return null;
    } catch (error) {
      // After a retry it means that the first try took effect and its answer was lost: the current job is the answer.
      if (isRetry && kind !== "remove" && error instanceof ApiError && error.status === 409)
        return api.getConversion(id, signal);
      throw error;
    }
  };
}

/** Requests for new jobs. Each rejects as its API call does, and with {@link WaitsForNetwork} or OutboxFull. */
function conversionRequests(submit: Submit, { outbox, onLateJob, onLateBatch, onLateRefusal }: RequestParts) {
  /** Delivers the answer of a request whose caller does not wait any more. */
  const followJob = (answer: Promise<Job>, link: string) =>
    deliverLate(
      answer,
      (job) => onLateJob(job, link),
      (error) => onLateRefusal(error, "convert"),
    );
  const followBatch = (answer: Promise<BatchAnswer>) =>
    deliverLate(answer, onLateBatch, (error) => onLateRefusal(error, "convertBatch"));

  /** Withdraws a request. When the server may have it already, the job of a single conversion is removed. */
  function takeBack(key: string): void {
    const entry = outbox.withdraw(key);
    if (entry?.kind === "convert" && entry.isSent)
      // As old as the key that it repeats, which the server forgets after some time.
      submit.takeBack({ ...entry, ...submit.newEntry(), madeAtMs: entry.madeAtMs, kind: "takeBack", convertKey: key });
  }

  return {
    takeBack,
    createConversion: (input: Omit<CreateConversion, "quality">, signal?: AbortSignal): Promise<Job> => {
      const entry: ConvertEntry = { ...submit.newEntry(), kind: "convert", ...input };
      signal?.addEventListener("abort", () => takeBack(entry.key), { once: true });
      return answerOrWaiting(
        (onWaiting) => submit.convert(entry, { onWaiting }),
        (answer) => followJob(answer, input.youtubeUrl),
      );
    },
    createBatch: (input: Omit<CreateBatch, "quality">): Promise<BatchAnswer> => {
      const entry: ConvertBatchEntry = { ...submit.newEntry(), kind: "convertBatch", ...input };
      return answerOrWaiting((onWaiting) => submit.convertBatch(entry, { onWaiting }), followBatch);
    },
    createSelection: (input: Omit<CreateSelection, "quality">, signal: AbortSignal): Promise<SelectionAnswer> => {
      const entry: ConvertSelectionEntry = { ...submit.newEntry(), kind: "convertSelection", ...input };
      signal.addEventListener("abort", () => outbox.withdraw(entry.key), { once: true });
      return answerOrWaiting((onWaiting) => submit.convertSelection(entry, { onWaiting }), followBatch);
    },

    // These submit an entry of an earlier page again, under the same key.
    resumeConvert: (entry: ConvertEntry) => followJob(submit.convert(entry), entry.youtubeUrl),
    resumeBatch: (entry: ConvertBatchEntry) => followBatch(submit.convertBatch(entry)),
    resumeSelection: (entry: ConvertSelectionEntry) => followBatch(submit.convertSelection(entry)),
    resumeTakeBack: submit.takeBack,
  };
}

/**
 * Requests about jobs and batches. The page shows their outcome at the click, so their promises may stay open while the
 * network is away. Each is sent after the earlier requests about the same job or batch.
 */
function changeRequests({ newEntry, changeJob, changeBatch }: Submit) {
  const jobRequest =
    (kind: JobEntry["kind"]) =>
    (id: string, after?: Promise<void>): Promise<Job | null> =>
      changeJob({ ...newEntry(), kind, id }, after);
  const batchRequest =
    (kind: BatchEntry["kind"]) =>
    (id: string, jobIds: readonly string[], after?: Promise<void>): Promise<Job[]> =>
      changeBatch({ ...newEntry(), kind, id, jobIds: [...jobIds] }, after);

  return {
    cancelConversion: jobRequest("cancel"),
    retryConversion: jobRequest("retry"),
    /** Gives null. */
    removeConversion: jobRequest("remove"),
    cancelBatch: batchRequest("cancelBatch"),
    retryBatch: batchRequest("retryBatch"),
    resumeForJob: changeJob,
    resumeForBatch: changeBatch,
  };
}
