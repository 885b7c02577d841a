/** One call of the API with a token, and what its answer means. For programs, in Node and in browsers. */
import type { z } from "zod";
import { ErrorBody } from "../../common/error-codes.ts";
import { parseJson } from "../../common/parse-json.ts";

/** A call that is not answered for so long may be sent again. */
const ANSWER_MS = 30_000;

/** The origin of a server, and a token of an account there. */
export interface Account {
  readonly server: string;
  readonly token: string;
}

export interface Call {
  readonly method?: "GET" | "POST" | "DELETE";
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** Why there is no answer. */
export interface Unanswered {
  readonly reason: string;
  /** The server's own, when it cannot answer at the moment. */
  readonly sentence?: string | undefined;
}

/** Codes of a server that would refuse every other call too. */
const REFUSES_ALL = new Set(["invalid_token", "missing_scope", "access_blocked", "sign_in_required"]);

/** What the server refuses, in its own sentence. */
export class Refusal extends Error {
  /** Absent when the server has sent no code. */
  readonly code: string | undefined;
  readonly refusesAll: boolean;
  /** Set when the server allows the same call later. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, options: { code?: string; refusesAll?: boolean; retryAfterSeconds?: number } = {}) {
    super(message);
    this.name = "Refusal";
    this.code = options.code;
    this.refusesAll = options.refusesAll ?? REFUSES_ALL.has(options.code ?? "");
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** Path of a job's calls. */
export const conversionPath = (id: string): string => `/api/conversions/${encodeURIComponent(id)}`;

/** Sends a call once. @throws the reason of the signal when aborted */
export async function send(
  { server, token }: Account,
  path: string,
  { method = "GET", body, headers, signal }: Call = {},
): Promise<Response | Unanswered> {
  const slow = new AbortController();
  const timer = setTimeout(() => slow.abort(), ANSWER_MS);
  try {
    const answer = await fetch(server + path, {
      method,
      headers: {
        accept: "application/json",
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
      // The token says who calls. In a browser, a cookie of the same server must not.
      credentials: "omit",
      signal: signal ? AbortSignal.any([signal, slow.signal]) : slow.signal,
    });
    return answer.status < 502 ? answer : await unavailable(answer);
  } catch (error) {
    signal?.throwIfAborted();
    if (slow.signal.aborted) return { reason: "it does not answer" };
    if (error instanceof TypeError) return { reason: reasonOf(error) };
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** @throws Refusal when the server refuses the call, or is another one than expected */
export async function readAnswer<Shape extends z.ZodType>(
  answer: Response,
  shape: Shape,
  server: string,
): Promise<z.output<Shape>> {
  if (!answer.ok) throw await refusalOf(answer);
  const parsed = shape.safeParse(parseJson(await answer.text()));
  if (parsed.success) return parsed.data;
  throw new Refusal(`What answers at ${server} is not Tapedeck. Check the address.`, { refusesAll: true });
}

/** @returns what an answer refuses that is not ok */
export async function refusalOf(answer: Response): Promise<Refusal> {
  const { data } = ErrorBody.safeParse(parseJson(await answer.text()));
  if (!data) return new Refusal(`The server has answered with status ${answer.status}. Try again.`);
  const retryAfterSeconds = answer.status === 429 ? Number(answer.headers.get("retry-after")) : 0;
  return new Refusal(data.message, { code: data.code, ...(retryAfterSeconds > 0 && { retryAfterSeconds }) });
}

/** A proxy without a server behind it, or a server without its database, is as good as no server. */
async function unavailable(answer: Response): Promise<Response | Unanswered> {
  const text = await answer.text();
  const { data } = ErrorBody.safeParse(parseJson(text));
  if (data && data.code !== "unavailable_now") return new Response(text, answer);
  return { reason: data?.message ?? `status ${answer.status}`, sentence: data?.message };
}

/** `fetch` hides what has happened in the cause. */
function reasonOf({ message, cause }: Error): string {
  if (!(cause instanceof Error)) return message;
  // The cause has several errors when a name has several addresses.
  return cause.message || ("code" in cause ? String(cause.code) : message);
}
