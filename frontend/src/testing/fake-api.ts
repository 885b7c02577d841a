/** The server of component tests: answers the calls of a page, and pushes events to it. */
import { createSocket } from "../live/socket.ts";
import { makeConfig } from "./sample-answers.ts";

export interface ApiCall {
  /** Method and path, such as `GET /api/config`. */
  readonly route: string;
  readonly body: unknown;
  /** Idempotency key. */
  readonly key: string | null;
}

export type Answer = (call: ApiCall) => Response | Promise<Response>;

export const json = (body: unknown, status = 200): Response => Response.json(body, { status });

/** An error of the server, as the API answers it. */
export const refusal = (status: number, code: string, message: string): Response => json({ code, message }, status);

/** The network breaks. */
export const broken: Answer = () => Promise.reject(new TypeError("Failed to fetch"));

/** There is no answer until the page gives up. */
export const unanswered: Answer = () => new Promise(() => undefined);

/** What a server without jobs answers to a visitor who is not signed in. */
const FIRST_ANSWERS: Readonly<Record<string, Answer>> = {
  "GET /api/conversions": () => json([]),
  "GET /api/device-info": () => json({ deviceId: "device", authenticated: false, userId: null }),
  "GET /api/site-status": () => json({ failing: [] }),
  "GET /api/config": () => json(makeConfig()),
  "GET /api/usage/days": () => json({ days: [] }),
  "GET /api/feed": () => json({ feed: null }),
  "GET /api/auth/user": () => refusal(401, "unauthorized", "Please sign in."),
};

const nextTask = () => new Promise((resolve) => setTimeout(resolve));

const sendThroughNetwork = window.fetch.bind(window);

class FakeApi {
  private readonly answers = new Map<string, Answer>();
  /** All calls of the page, in their order. */
  readonly calls: ApiCall[] = [];
  /** The routes of the calls that the page has aborted. */
  readonly aborted: string[] = [];
  private readonly reads = new Set<Promise<unknown>>();

  /** Answers the calls of a route from now on. */
  answer(route: string, answer: Answer): void {
    this.answers.set(route, answer);
  }

  /** @returns the bodies of the calls of a route */
  bodies(route: string): unknown[] {
    return this.calls.filter((call) => call.route === route).map(({ body }) => body);
  }

  /** Waits until the page has done what it does with the answers that it has got, and with the errors that come of it. */
  async settle(): Promise<void> {
    await nextTask();
    while (this.reads.size > 0) {
      await Promise.allSettled(this.reads);
      await nextTask();
    }
  }

  reset(): void {
    this.answers.clear();
    this.calls.length = 0;
    this.aborted.length = 0;
  }

  /** Stands in for `fetch`. Other requests than those to the API go to the network. */
  readonly fetch: typeof fetch = async (input, init) => {
    if (typeof input !== "string" || !input.startsWith("/api/")) return sendThroughNetwork(input, init);
    const route = `${init?.method ?? "GET"} ${input}`;
    const body: unknown = typeof init?.body === "string" ? JSON.parse(init.body) : undefined;
    const call = { route, body, key: new Headers(init?.headers).get("idempotency-key") };
    this.calls.push(call);
    const answer = this.answers.get(route) ?? FIRST_ANSWERS[route];
    const { signal } = init ?? {};
    const aborted = new Promise<never>((_resolve, reject) => {
      signal?.addEventListener("abort", () => {
        this.aborted.push(route);
        reject(signal.reason);
      });
    });
    signal?.throwIfAborted();
    return this.noted(await Promise.race([aborted, answer ? answer(call) : refusal(404, "not_found", "Not found.")]));
  };

  private noted(response: Response): Response {
    for (const kind of ["json", "text"] as const) {
      const read = response[kind].bind(response);
      response[kind] = () => {
        const reading = read().finally(() => this.reads.delete(reading));
        this.reads.add(reading);
        return reading;
      };
    }
    return response;
  }
}

export const fakeApi = new FakeApi();

/**
 * @param hasNetwork false: it never connects
 * @returns a socket that is connected to nothing, and a function that gives it an event of the server
 */
export function fakeSocket(hasNetwork: boolean) {
  const socket = createSocket();
  const push = (event: string, payload?: unknown): void => {
    for (const listener of socket.listeners(event)) listener(payload);
  };
  socket.connect = () => {
    socket.connected = hasNetwork;
    push(hasNetwork ? "connect" : "connect_error");
    return socket;
  };
  socket.disconnect = () => {
    socket.connected = false;
    return socket;
  };
  return { socket, push };
}
