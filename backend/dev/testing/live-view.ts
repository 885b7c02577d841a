/** The live view of a browser without a window: its socket and the merged list of jobs. */
import { io, type Socket } from "socket.io-client";
import type { ServerEvents, ClientEvents } from "../../../common/events.ts";
import type { Job, JobStatus } from "../../../common/job.ts";
import { SiteStatus } from "../../../common/site-status.ts";
import { mergeIntoTable, mergeSnapshot, visibleJobs, type JobTable } from "../../../common/merge.ts";

type TestSocket = Socket<ServerEvents, ClientEvents>;

interface Waiter {
  readonly jobId: string;
  readonly matches: (job: Job) => boolean;
  readonly resolve: (job: Job) => void;
}

export class LiveView {
  readonly socket: TestSocket;
  /** Every version that was pushed, in the order of arrival. */
  readonly pushes: Job[] = [];
  /** Every status of the video sites that was received, in the order of arrival. */
  readonly siteStatuses: SiteStatus[] = [];
  readonly #waiters = new Set<Waiter>();
  #table: JobTable = new Map();

  private constructor(socket: TestSocket) {
    this.socket = socket;
    socket.on("snapshot", (snapshot) => {
      this.#table = mergeSnapshot(this.#table, snapshot);
      for (const job of snapshot.jobs) this.#resolveWaiters(job);
    });
    socket.on("sites", (status) => this.siteStatuses.push(SiteStatus.parse(status)));
    socket.on("job", (job) => {
      this.pushes.push(job);
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
   * @throws Error when the server refuses the connection
   */
  static async connect(origin: string, cookie: () => string): Promise<LiveView> {
    const socket: TestSocket = io(origin, {
      extraHeaders: { cookie: cookie() },
      transports: ["websocket"],
      forceNew: true,
      reconnectionDelay: 50,
    });
    // A browser sends its current cookies at every connection, and our page reconnects when the server disconnects it.
    socket.io.on("reconnect_attempt", () => {
      socket.io.opts.extraHeaders = { cookie: cookie() };
    });
    socket.on("disconnect", (reason) => {
      socket.io.opts.extraHeaders = { cookie: cookie() };
      if (reason === "io server disconnect") socket.connect();
    });
    const view = new LiveView(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once("snapshot", () => resolve());
      socket.once("connect_error", reject);
    });
    return view;
  }

  /** The merged list, without removed jobs. */
  jobs(): Job[] {
    return visibleJobs(this.#table);
  }

  /** Waits for a version of a job that matches; versions that were seen before count. */
  until(jobId: string, matches: (job: Job) => boolean): Promise<Job> {
    const isWanted = (job: Job) => job.id === jobId && matches(job);
    const seen = this.pushes.find(isWanted) ?? this.jobs().find(isWanted);
    return seen ? Promise.resolve(seen) : new Promise((resolve) => this.#waiters.add({ jobId, matches, resolve }));
  }

  untilStatus(jobId: string, ...statuses: JobStatus[]): Promise<Job> {
    return this.until(jobId, (job) => statuses.includes(job.status));
  }

  #resolveWaiters(job: Job): void {
    for (const waiter of this.#waiters) {
      if (waiter.jobId !== job.id || !waiter.matches(job)) continue;
      this.#waiters.delete(waiter);
      waiter.resolve(job);
    }
  }
}
