/**
 * Writes the life of each job to the log, and as spans into the trace of the call that asked for it: the wait in the
 * queue, each attempt with its stages, and the end. Neither has links, titles or words of a tool.
 */
import type { Logger } from "pino";
import type { ConversionErrorCode } from "../../../common/errors.ts";
import { Stage } from "../../../common/job.ts";
import { setNewest } from "../../../common/set-newest.ts";
import { logFieldsOf, type JobJournal } from "../../domain/jobs/job-journal.ts";
import type { EndedJob, PendingJob, StoredJob } from "../../domain/jobs/job-model.ts";
import type { Attributes, Span, Tracer } from "./tracing.ts";

/** An attempt that this process runs. */
interface OpenAttempt {
  readonly attempt: number;
  readonly span: Span;
  /** Of the stage that the attempt is at; the first one reads the video. */
  stage: Span;
  /** Its place in the order of stages. */
  rank: number;
  code?: ConversionErrorCode;
}

const MAX_UNREADABLE = 1_000;

export class TracedJournal implements JobJournal {
  readonly #tracer: Tracer;
  readonly #log: Pick<Logger, "info" | "error">;
  /** By job id. */
  readonly #open = new Map<string, OpenAttempt>();
  /** Ids of jobs that were logged already: lists are read again and again. */
  readonly #unreadable = new Map<string, true>();

  constructor(tracer: Tracer, log: Pick<Logger, "info" | "error">) {
    this.#tracer = tracer;
    this.#log = log;
  }

  moved(job: StoredJob): void {
    switch (job.status) {
      case "queued":
        this.#close(job._id, "requeued");
        this.#log.info(logFieldsOf(job), job.attempt === 1 ? "job accepted" : "job queued again");
        return;
      case "pending":
        this.#claimed(job);
        return;
      case "processing":
        return;
      case "completed":
      case "failed":
      case "canceled":
        this.#ended(job);
    }
  }

  stage(job: StoredJob, stage: Stage): void {
    const open = this.#attemptOf(job);
    const rank = Stage.options.indexOf(stage);
    // Stages overlap: while the next one waits for bytes, the one before is reported once more.
    if (!open || rank <= open.rank) return;
    this.#log.info({ ...logFieldsOf(job), stage }, "job stage");
    open.rank = rank;
    open.stage.end();
    open.stage = this.#beginStage(job, open.span, stage);
  }

  follows(job: StoredJob, other: StoredJob): void {
    const leading = this.#attemptOf(other)?.span.traceparent ?? other.call?.traceparent;
    if (leading !== undefined) this.#attemptOf(job)?.span.link(leading);
  }

  failing(job: StoredJob, code: ConversionErrorCode): void {
    const open = this.#attemptOf(job);
    if (open) open.code = code;
  }

  unreadable(job: Pick<StoredJob, "_id" | "attempt" | "call">, field: string): void {
    if (this.#unreadable.has(job._id)) return;
    setNewest(this.#unreadable, job._id, true, MAX_UNREADABLE);
    this.#log.error({ ...logFieldsOf(job), field }, "a stored job lacks a field");
  }

  left(job: Pick<StoredJob, "_id" | "attempt">): void {
    if (this.#attemptOf(job)) this.#close(job._id, "left");
  }

  #claimed(job: PendingJob): void {
    // The attempt before was lost without a word, such as after a pause of the machine.
    this.#close(job._id, "left");
    const { queuedAt } = job;
    const waitSeconds = queuedAt && secondsSince(queuedAt);
    this.#log.info({ ...logFieldsOf(job), waitSeconds }, "job claimed");
    const parent = job.call?.traceparent;
    const attributes = attributesOf(job);
    this.#tracer.begin({ name: "queue", parent, startedAt: queuedAt, attributes }).end();
    const { format, quality } = job;
    const span = this.#tracer.begin({
      name: "attempt",
      kind: "consumer",
      parent,
      attributes: { ...attributes, "tapedeck.job.format": format, "tapedeck.job.quality": quality },
    });
    this.#open.set(job._id, { attempt: job.attempt, span, stage: this.#beginStage(job, span, "read"), rank: -1 });
  }

  #ended(job: EndedJob): void {
    const code = job.status === "failed" ? job.error.code : job.status;
    const seconds = secondsSince(job.call?.at ?? job.createdAt);
    this.#log.info({ ...logFieldsOf(job), code, seconds }, "job ended");
    const isError = job.status === "failed";
    const parent = this.#attemptOf(job)?.span.traceparent ?? job.call?.traceparent;
    this.#close(job._id, code, isError);
    const attributes = { ...attributesOf(job), "tapedeck.job.code": code, "tapedeck.job.seconds": seconds };
    this.#tracer.begin({ name: "ended", parent, attributes }).end({ isError });
  }

  #beginStage(job: StoredJob, attempt: Span, stage: Stage | "read"): Span {
    return this.#tracer.begin({ name: stage, parent: attempt.traceparent, attributes: attributesOf(job) });
  }

  #attemptOf({ _id, attempt }: Pick<StoredJob, "_id" | "attempt">): OpenAttempt | undefined {
    const open = this.#open.get(_id);
    return open?.attempt === attempt ? open : undefined;
  }

  /** @param code what came of the attempt, unless an error was named before */
  #close(jobId: string, code: string, isError = false): void {
    const open = this.#open.get(jobId);
    if (!open) return;
    this.#open.delete(jobId);
    open.stage.end({ isError });
    open.span.end({
      attributes: { "tapedeck.job.code": open.code ?? code },
      isError: isError || open.code !== undefined,
    });
  }
}

function attributesOf({ _id, attempt, call }: StoredJob): Attributes {
  return {
    "tapedeck.job.id": _id,
    "tapedeck.job.attempt": attempt,
    ...(call === undefined ? {} : { "tapedeck.request.id": call.id }),
  };
}

function secondsSince(moment: Date): number {
  return Math.max(0, Date.now() - moment.getTime()) / 1_000;
}
