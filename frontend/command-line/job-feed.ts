/** Follows jobs through the server's socket, and by asking for the list while there is no socket. */
import { io, type Socket } from "socket.io-client";
import type { z } from "zod";
import { JobRemovedEvent, SnapshotEvent } from "../../common/events.ts";
import { isActive, Job } from "../../common/job.ts";
import { isTombstone, mergeIntoTable, mergeSnapshot, type JobTable } from "../../common/merge.ts";
import { pause } from "../../common/waiting.ts";
import type { Account } from "../api-client/api-call.ts";
import { CommandError, EXIT, isAbort } from "./command-error.ts";
import type { ServerClient } from "./server-client.ts";

/** As the pages poll. */
const POLL_MS = 2_000;

interface Watcher {
  /** Gets each newer version of the job. */
  onChange(job: Job): void;
  resolve(ended: Job): void;
  reject(error: unknown): void;
}

export class JobFeed implements Disposable {
  readonly #client: ServerClient;
  readonly #socket: Socket;
  readonly #watchers = new Map<string, Watcher>();
  readonly #stopped = new AbortController();
  #table: JobTable = new Map();
  /** Why no job can be followed any more. */
  #failure: unknown;

  constructor({ server, token }: Account, client: ServerClient) {
    this.#client = client;
    this.#socket = io(server, {
      extraHeaders: { authorization: `Bearer ${token}` },
      transports: ["websocket", "polling"],
      tryAllTransports: true,
      reconnectionDelay: 500,
      reconnectionDelayMax: 5_000,
    });
    this.#listen();
    this.#poll().catch((error: unknown) => this.#fail(error));
  }

  /**
   * Follows a job until it has ended.
   * @param job as the server has answered it
   * @param onChange gets it and each newer version
   * @throws CommandError when the job was removed, or cannot be followed any more; AbortError
   */
  async untilEnded(job: Job, onChange: (job: Job) => void, signal: AbortSignal): Promise<Job> {
    const { promise, resolve, reject } = Promise.withResolvers<Job>();
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    this.#watchers.set(job.id, { onChange, resolve, reject });
    try {
      signal.throwIfAborted();
      if (this.#failure !== undefined) throw this.#failure;
      this.#table = mergeIntoTable(this.#table, job);
      this.#tell(job.id);
      return await promise;
    } finally {
      this.#watchers.delete(job.id);
      signal.removeEventListener("abort", onAbort);
    }
  }

  [Symbol.dispose](): void {
    this.#stopped.abort();
    this.#socket.removeAllListeners();
    this.#socket.disconnect();
  }

  #listen(): void {
    const on = <Shape extends z.ZodType>(event: string, shape: Shape, use: (value: z.output<Shape>) => void) =>
      this.#socket.on(event, (payload: unknown) => {
        const parsed = shape.safeParse(payload);
        if (parsed.success) use(parsed.data);
      });
    on("snapshot", SnapshotEvent, (snapshot) => this.#merge((table) => mergeSnapshot(table, snapshot)));
    on("job", Job, (job) => this.#merge((table) => mergeIntoTable(table, job)));
    on("job:removed", JobRemovedEvent, ({ id }) =>
      this.#merge((table) => mergeIntoTable(table, { id, removed: true })),
    );
    // After this, socket.io does not connect again by itself.
    this.#socket.on("disconnect", (reason) => {
      if (reason === "io server disconnect") this.#socket.connect();
    });
  }

  /** Asks for the list while there is no socket. What the server refuses is refused to the socket too, and told here. */
  async #poll(): Promise<never> {
    const { signal } = this.#stopped;
    for (;;) {
      await pause(POLL_MS, signal);
      if (this.#socket.connected || this.#watchers.size === 0) continue;
      const snapshot = await this.#client.listJobs(signal);
      this.#merge((table) => mergeSnapshot(table, snapshot));
    }
  }

  /** Keeps all jobs of the account: that a job has ended may arrive before the answer to the call that made it. */
  #merge(merge: (table: JobTable) => JobTable): void {
    const before = this.#table;
    this.#table = merge(before);
    for (const id of this.#watchers.keys()) if (this.#table.get(id) !== before.get(id)) this.#tell(id);
  }

  #tell(id: string): void {
    const version = this.#table.get(id);
    const watcher = this.#watchers.get(id);
    if (!version || !watcher) return;
    if (isTombstone(version))
      return watcher.reject(
        new CommandError(EXIT.failed, "The conversion was removed meanwhile.", { code: "not_found" }),
      );
    watcher.onChange(version);
    if (!isActive(version.status)) watcher.resolve(version);
  }

  #fail(error: unknown): void {
    if (isAbort(error) && this.#stopped.signal.aborted) return;
    this.#failure = error;
    for (const watcher of this.#watchers.values()) watcher.reject(error);
  }
}
