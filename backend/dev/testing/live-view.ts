/** The live view of a browser without a window: its socket and the merged list of jobs. */
import { io, type Socket } from "socket.io-client";
import type { ServerEvents, ClientEvents } from "../../../common/events.ts";
import { isActive, type Job, type JobStatus } from "../../../common/job.ts";
import { SiteStatus } from "../../../common/site-status.ts";
import { isTombstone, mergeIntoTable, mergeSnapshot, visibleJobs, type JobTable } from "../../../common/merge.ts";

type TestSocket = Socket<ServerEvents, ClientEvents>;

interface Waiter {
  readonly jobId: string;
  readonly matches: (job: Job) => boolean;
  readonly resolve: (job: Job) => void;
  /** @returns why no later version will match; asked of each one that is pushed and does not match */
  readonly problemOf: (job: Job) => string | undefined;
  readonly reject: (reason: Error) => void;
}

interface LiveViewOptions {
  readonly transports?: readonly ("websocket" | "polling")[];
  readonly isPatient?: boolean;
  /** @returns when the browser has the cookies of the pages that it is visiting; absent: it visits none */
  readonly cookiesKept?: () => Promise<unknown>;
}

export class LiveView {
  readonly socket: TestSocket;
  /** Every version that was pushed, in the order of arrival. */
  readonly pushes: Job[] = [];
  /** Every status of the video sites that was received, in the order of arrival. */
  readonly siteStatuses: SiteStatus[] = [];
  /** Jobs that were pushed after their removal, as sentences. */
  readonly returned: string[] = [];
  readonly #waiters = new Set<Waiter>();
  readonly #sendCookie: () => void;
  #table: JobTable = new Map();
  #snapshots = 0;
  #recoveries = 0;

  /** @param sendCookie makes the next connection carry the current cookies */
  private constructor(socket: TestSocket, sendCookie: () => void) {
    this.socket = socket;
    this.#sendCookie = sendCookie;
    socket.on("connect", () => {
      if (socket.recovered) this.#recoveries += 1;
    });
    socket.on("snapshot", (snapshot) => {
      this.#snapshots += 1;
      this.#table = mergeSnapshot(this.#table, snapshot);
      for (const job of snapshot.jobs) this.#resolveWaiters(job);
    });
    socket.on("sites", (status) => this.siteStatuses.push(SiteStatus.parse(status)));
    socket.on("job", (job) => {
      this.pushes.push(job);
      const known = this.#table.get(job.id);
      if (known && isTombstone(known)) this.returned.push(`${job.id} was pushed after its removal`);
      this.#table = mergeIntoTable(this.#table, job);
      this.#resolveWaiters(job);
    });
    socket.on("job:removed", ({ id }) => {
      this.#table = mergeIntoTable(this.#table, { id, removed: true });
    });
  }

  /**
   * Connects and waits for the first snapshot.
   * @param cookie the value of the `Cookie` header at the moment of a connection
   * @param options.isPatient whether it tries again when the first connection fails
   * @throws Error when the server refuses the connection
   */
  static async connect(
    origin: string,
    cookie: () => string,
    { transports = ["websocket"], isPatient = false, cookiesKept }: LiveViewOptions = {},
  ): Promise<LiveView> {
    const headers = () => ({ cookie: cookie(), origin });
    const socket: TestSocket = io(origin, {
      extraHeaders: headers(),
      transports: [...transports],
      forceNew: true,
      reconnectionDelay: 50,
      reconnectionDelayMax: 1_000,
    });
    const sendCookie = () => {
      socket.io.opts.extraHeaders = headers();
    };
    // A browser sends its current cookies at every connection, and our page reconnects when the server disconnects it.
    socket.io.on("reconnect_attempt", sendCookie);
    socket.on("disconnect", async (reason) => {
      if (reason !== "io server disconnect") return sendCookie();
      // A browser keeps the cookies of an answer before its pages hear of what the server did next.
      await cookiesKept?.();
      sendCookie();
      socket.connect();
    });
    const view = new LiveView(socket, sendCookie);
    await new Promise<void>((resolve, reject) => {
      socket.once("snapshot", () => resolve());
      if (!isPatient) socket.once("connect_error", reject);
    });
    return view;
  }

  /** Number of received snapshots. */
  get snapshots(): number {
    return this.#snapshots;
  }

  /** Number of connections that were recovered: the events that they missed came before their snapshots. */
  get recoveries(): number {
    return this.#recoveries;
  }

  /** Connects anew, as a page that is loaded again, with the current cookies. */
  reload(): void {
    this.#sendCookie();
    this.socket.disconnect().connect();
  }

  close(): void {
    this.socket.disconnect();
  }

  /** The merged list, without removed jobs. */
  jobs(): Job[] {
    return visibleJobs(this.#table);
  }

  /**
   * Waits for a version of a job that matches; versions that were seen before count.
   * @throws Error when none comes within `timeoutMs`, if given
   */
  until(
    jobId: string,
    matches: (job: Job) => boolean,
    timeoutMs?: number,
    problemOf: Waiter["problemOf"] = () => undefined,
  ): Promise<Job> {
    const isWanted = (job: Job) => job.id === jobId && matches(job);
    const seen = this.pushes.find(isWanted) ?? this.jobs().find(isWanted);
    if (seen) return Promise.resolve(seen);
    const { promise, resolve, reject } = Promise.withResolvers<Job>();
    const waiter: Waiter = { jobId, matches, resolve, reject, problemOf };
    this.#waiters.add(waiter);
    if (timeoutMs === undefined) return promise;
    const timer = setTimeout(() => {
      this.#waiters.delete(waiter);
      reject(new Error(this.#describe(jobId)));
    }, timeoutMs);
    return promise.finally(() => clearTimeout(timer));
  }

  /**
   * Waits for the end of a job.
   * @param attempt the end of an earlier attempt does not count
   */
  untilEnded(jobId: string, timeoutMs: number, attempt = 1): Promise<Job> {
    return this.until(jobId, (job) => job.attempt >= attempt && !isActive(job.status), timeoutMs);
  }

  /** @throws Error when the job fails now, and that is not waited for */
  untilStatus(jobId: string, ...statuses: JobStatus[]): Promise<Job> {
    const problemOf = (job: Job) => (job.status === "failed" ? `job ${jobId} failed: ${job.error.code}` : undefined);
    return this.until(jobId, (job) => statuses.includes(job.status), undefined, problemOf);
  }

  #resolveWaiters(job: Job): void {
    for (const waiter of this.#waiters) {
      if (waiter.jobId !== job.id) continue;
      const isMatch = waiter.matches(job);
      const problem = isMatch ? undefined : waiter.problemOf(job);
      if (!isMatch && problem === undefined) continue;
      this.#waiters.delete(waiter);
      if (problem === undefined) waiter.resolve(job);
      else waiter.reject(new Error(problem));
    }
  }

  #describe(jobId: string): string {
    const job = this.jobs().find(({ id }) => id === jobId);
    return (
      `a page did not show the expected state of job ${jobId} in time: it shows ${job?.status ?? "nothing"} ` +
      `of ${job?.updatedAt ?? "no time"}, is ${this.socket.connected ? "connected" : "not connected"}, ` +
      `and received ${this.#snapshots} snapshots and ${this.#recoveries} recovered connections`
    );
  }
}
