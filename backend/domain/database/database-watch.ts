/**
 * Finds out by pings whether the database answers. A database that hangs does not refuse connections, so without this
 * watch every call would wait until the database recovers.
 */
import mongoose, { type Connection } from "mongoose";
import { every } from "../every.ts";
import { DEFAULT_DATABASE_TIMEOUTS, type DatabaseTimeouts } from "./database-timeouts.ts";

/** Pause between an answer and the next ping. */
const PING_INTERVAL_MS = 500;
/** A timer that is late by more than this shows that this process stood still, and read no answer meanwhile. */
const STOOD_STILL_MS = 1_000;

/** The database does not answer now. */
export class DatabaseAwayError extends Error {
  constructor() {
    super("the database does not answer");
    this.name = "DatabaseAwayError";
  }
}

const {
  MongoClientClosedError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
} = mongoose.mongo;
const AWAY = [
  DatabaseAwayError,
  MongoClientClosedError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
] as const;
/**
 * Codes of MongoDB: a full disk (14031), and those after which the driver itself tries again. They come while the
 * servers choose a new primary, and while a server starts or stops.
 */
const AWAY_CODES = new Set([14_031, 6, 7, 89, 91, 134, 189, 262, 9001, 10_107, 11_600, 11_602, 13_435, 13_436]);

/** @returns whether an error means that the database does not work now, and not that the query was wrong */
export function isDatabaseAway(error: unknown): boolean {
  // The embedded database gives no code when it fails in itself.
  if (error instanceof MongoServerError) return error.code === undefined || AWAY_CODES.has(Number(error.code));
  return AWAY.some((kind) => error instanceof kind) || isBrokenWrite(error);
}

/** The driver passes the error of a write to a connection that has just broken on as it is. */
function isBrokenWrite(error: unknown): boolean {
  const { code, syscall } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  // Once the other side has ended the connection, Node refuses the write itself and names no system call.
  if (code === "EPIPE") return syscall === "write" || syscall === undefined;
  return code === "ECONNRESET" && syscall === "write";
}

export interface DatabaseWatch {
  /** False while the database counts as lost. */
  isUp(): boolean;
  /**
   * @returns how long the answer to the last ping took, in milliseconds; null while the database counts as lost, undefined
   *   before the first answer
   */
  answerMs(): number | null | undefined;
  /** @returns whether the database answers a ping within 1.5 s */
  answersNow(): Promise<boolean>;
  /** Calls the handler when the database is lost and when it is back. @returns a function that removes the handler */
  onChange(handler: (isUp: boolean) => void): () => void;
  /**
   * Runs a task that needs the database. The task is not interrupted: its writes may still happen once the database is
   * back.
   * @throws DatabaseAwayError while the database is lost, and as soon as it is lost during the task
   */
  during<T>(task: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

type WatchTimeouts = Pick<DatabaseTimeouts, "lostAfterMs" | "readyMs">;

/** Starts to watch; `stop` ends it. */
export function watchDatabase(
  connection: Connection,
  { lostAfterMs, readyMs }: WatchTimeouts = DEFAULT_DATABASE_TIMEOUTS,
): DatabaseWatch {
  // The driver gives up later than the watch, so that an answer that has arrived in time can still be read.
  const timeoutMS = lostAfterMs + STOOD_STILL_MS;
  return new PingWatch(
    () => connection.db?.command({ ping: 1 }, { timeoutMS }) ?? Promise.reject(new DatabaseAwayError()),
    { lostAfterMs, readyMs },
  );
}

class PingWatch implements DatabaseWatch {
  readonly #ping: () => Promise<unknown>;
  readonly #lostAfterMs: number;
  readonly #readyMs: number;
  readonly #handlers = new Set<(isUp: boolean) => void>();
  readonly #pinging: { stop(): Promise<void> };
  #isUp = true;
  #lastAnswerMs = performance.now();
  #answerMs: number | undefined;
  #currentPing: Promise<boolean> | undefined;

  constructor(ping: () => Promise<unknown>, { lostAfterMs, readyMs }: WatchTimeouts) {
    this.#ping = ping;
    this.#lostAfterMs = lostAfterMs;
    this.#readyMs = readyMs;
    this.#pinging = every(
      PING_INTERVAL_MS,
      () => this.#check(),
      () => this.#set(false),
    );
  }

  isUp(): boolean {
    return this.#isUp;
  }

  answerMs(): number | null | undefined {
    return this.#isUp ? this.#answerMs : null;
  }

  async answersNow(): Promise<boolean> {
    return this.#isUp && within(this.#readyMs, this.#pingOnce());
  }

  onChange(handler: (isUp: boolean) => void): () => void {
    this.#handlers.add(handler);
    return () => this.#handlers.delete(handler);
  }

  async during<T>(task: () => Promise<T>): Promise<T> {
    if (!this.#isUp) throw new DatabaseAwayError();
    const lost = Promise.withResolvers<never>();
    const unsubscribe = this.onChange(() => lost.reject(new DatabaseAwayError()));
    try {
      return await Promise.race([task(), lost.promise]);
    } finally {
      unsubscribe();
    }
  }

  async stop(): Promise<void> {
    this.#handlers.clear();
    await this.#pinging.stop();
  }

  async #check(): Promise<void> {
    const startedMs = performance.now();
    const isAnswered = await within(this.#lostAfterMs, this.#pingOnce());
    const nowMs = performance.now();
    // After a standstill only the next ping shows whether the database answers.
    const stoodStill = nowMs - startedMs > this.#lostAfterMs + STOOD_STILL_MS;
    if (isAnswered || stoodStill) this.#lastAnswerMs = nowMs;
    if (isAnswered) this.#set(true);
    else if (nowMs - this.#lastAnswerMs >= this.#lostAfterMs) this.#set(false);
  }

  /** Calls during a ping share its answer. */
  #pingOnce(): Promise<boolean> {
    const startedMs = performance.now();
    this.#currentPing ??= this.#ping()
      .then(
        () => {
          this.#answerMs = performance.now() - startedMs;
          return true;
        },
        () => false,
      )
      .finally(() => {
        this.#currentPing = undefined;
      });
    return this.#currentPing;
  }

  #set(isUp: boolean): void {
    if (this.#isUp === isUp) return;
    this.#isUp = isUp;
    for (const handler of this.#handlers) handler(isUp);
  }
}

/** @returns the answer, or false after `timeoutMs` */
async function within(timeoutMs: number, answer: Promise<boolean>): Promise<boolean> {
  const timeUp = Promise.withResolvers<false>();
  // Expired timers run before answers are read that have arrived meanwhile.
  const timer = setTimeout(() => setImmediate(() => timeUp.resolve(false)), timeoutMs);
  try {
    return await Promise.race([answer, timeUp.promise]);
  } finally {
    clearTimeout(timer);
  }
}
