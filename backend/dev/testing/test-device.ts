/** Browsers without a window: their cookies, calls, sign-in and live view. */
import { io, type Socket } from "socket.io-client";
import { CookieJar } from "tough-cookie";
import type { ServerEvents, ClientEvents } from "../../../common/events.ts";
import { Job, type JobStatus } from "../../../common/job.ts";
import { mergeIntoTable, mergeSnapshot, visibleJobs, type JobTable } from "../../../common/merge.ts";

type TestSocket = Socket<ServerEvents, ClientEvents>;

export interface TestDevice {
  /** What the browser sends as `Cookie`, now. */
  readonly cookie: string;
  readonly origin: string;
  /** A page that is navigated to; redirects are not followed. Cookies are kept, as from every call. */
  visit(url: string, form?: Record<string, string>): Promise<Response>;
  /** A call as our page makes it: cookies, origin, JSON. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Starts a conversion; throws unless it was taken. */
  convert(url: string, format?: "mp3" | "mp4"): Promise<Job>;
  /** The device's live view; the first call connects. */
  live(): Promise<LiveView>;
  close(): void;
}

export interface LiveView {
  readonly socket: TestSocket;
  /** Every version pushed, in order of arrival. */
  readonly pushes: readonly Job[];
  /** The merged list. */
  jobs(): Job[];
  /** The first version of a job, seen or still to come, that fits. */
  until(jobId: string, fits: (job: Job) => boolean): Promise<Job>;
  untilStatus(jobId: string, ...statuses: JobStatus[]): Promise<Job>;
}

/** Stores the cookies that an answer sets. */
export async function keepCookies(jar: CookieJar, answer: Response): Promise<void> {
  for (const line of answer.headers.getSetCookie()) await jar.setCookie(line, answer.url);
}

/** A browser that has never been at the origin. */
export async function openDevice(origin: string): Promise<TestDevice> {
  const jar = new CookieJar();
  const cookieFor = (url: URL | string) => jar.getCookieStringSync(String(url));
  const first = await fetch(`${origin}/api/device-info`);
  await keepCookies(jar, first);
  await first.body?.cancel();
  let view: Promise<LiveView> | undefined;
  const device: TestDevice = {
    get cookie() {
      return cookieFor(origin);
    },
    origin,
    async visit(url, form) {
      const to = new URL(url, origin);
      const answer = await fetch(to, {
        redirect: "manual",
        headers: { accept: "text/html", cookie: cookieFor(to), ...(form ? { origin: to.origin } : {}) },
        ...(form ? { method: "POST", body: new URLSearchParams(form) } : {}),
      });
      await keepCookies(jar, answer);
      return answer;
    },
    async call(method, path, body, headers = {}) {
      const url = `${origin}${path}`;
      const type: Record<string, string> = method === "GET" ? {} : { "content-type": "application/json" };
      const answer = await fetch(url, {
        method,
        headers: { cookie: cookieFor(url), origin, ...type, ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      await keepCookies(jar, answer);
      return answer;
    },
    async convert(url, format = "mp3") {
      const answer = await device.call("POST", "/api/conversions", { youtubeUrl: url, format });
      if (answer.status !== 201) throw new Error(`${answer.status}: ${await answer.text()}`);
      return Job.parse(await answer.json());
    },
    live() {
      view ??= openLiveView(origin, () => cookieFor(origin));
      return view;
    },
    close() {
      void view?.then(({ socket }) => socket.disconnect());
    },
  };
  return device;
}

/**
 * Through the pages as a browser goes: whatever the site and the provider send it to.
 * @returns the path on our site where it ends, with its query
 */
export async function walkThroughSignIn(
  device: TestDevice,
  person: { email: string; firstName?: string },
): Promise<string> {
  let url = "/api/login";
  for (let hop = 0; hop < 15; hop += 1) {
    const answer = await device.visit(url, url.includes("/interaction/") ? { ...person } : undefined);
    await answer.body?.cancel();
    const location = answer.headers.get("location");
    if (location === null) throw new Error(`${answer.status} at ${url}`);
    const next = new URL(location, new URL(url, device.origin));
    if (next.origin === device.origin && (next.pathname === "/" || next.pathname === "/login"))
      return `${next.pathname}${next.search}`;
    url = next.href;
  }
  throw new Error(`sign-in goes in circles, last at ${url}`);
}

async function openLiveView(origin: string, cookie: () => string): Promise<LiveView> {
  const socket: TestSocket = io(origin, {
    extraHeaders: { cookie: cookie() },
    transports: ["websocket"],
    forceNew: true,
    reconnectionDelay: 50,
  });
  // As a browser: with the cookies of that moment, and again when the server has ended the session.
  socket.io.on("reconnect_attempt", () => {
    socket.io.opts.extraHeaders = { cookie: cookie() };
  });
  socket.on("disconnect", (reason) => {
    socket.io.opts.extraHeaders = { cookie: cookie() };
    if (reason === "io server disconnect") socket.connect();
  });
  const pushes: Job[] = [];
  const waiting = new Set<{ jobId: string; fits: (job: Job) => boolean; resolve: (job: Job) => void }>();
  let table: JobTable = new Map();
  const take = (job: Job) => {
    for (const waiter of waiting) {
      if (waiter.jobId !== job.id || !waiter.fits(job)) continue;
      waiting.delete(waiter);
      waiter.resolve(job);
    }
  };
  socket.on("snapshot", (snapshot) => {
    table = mergeSnapshot(table, snapshot);
    snapshot.jobs.forEach(take);
  });
  socket.on("job", (job) => {
    pushes.push(job);
    table = mergeIntoTable(table, job);
    take(job);
  });
  socket.on("job:removed", ({ id }) => {
    table = mergeIntoTable(table, { id, removed: true });
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("snapshot", () => resolve());
    socket.once("connect_error", reject);
  });
  const until = (jobId: string, fits: (job: Job) => boolean): Promise<Job> => {
    const seen =
      pushes.find((job) => job.id === jobId && fits(job)) ??
      visibleJobs(table).find((job) => job.id === jobId && fits(job));
    return seen ? Promise.resolve(seen) : new Promise((resolve) => waiting.add({ jobId, fits, resolve }));
  };
  return {
    socket,
    pushes,
    jobs: () => visibleJobs(table),
    until,
    untilStatus: (jobId, ...statuses) => until(jobId, (job) => statuses.includes(job.status)),
  };
}
