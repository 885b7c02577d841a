/** Sends single requests for media. */
import { Agent, errors, interceptors, type Dispatcher } from "undici";
import { ConversionError } from "../../../common/errors.ts";
import { classifyFetchFailure, classifyStatus, describeFetchError } from "../errors/classify.ts";
import { NOT_READABLE } from "../errors/wording.ts";
import type { GuardSession } from "../guard/egress-guard.ts";
import type { HostSemaphore } from "./host-semaphore.ts";
import type { RequestPauses } from "./request-pauses.ts";

/** Connections of one conversion to one host at a time; more load the site and gain little. */
export const CONNECTIONS_PER_HOST = 4;
const MAX_REDIRECTS = 10;
/** Of addresses that have ended: sites answer with these once the signature in them is too old. */
const ENDED: ReadonlySet<number> = new Set([403, 404, 410]);

/** @returns the address that the same bytes have now; undefined when there is none */
export type Renew = (url: string) => Promise<string | undefined>;

/** Disposing of a response ends the request, even when its body is not read to the end. */
export interface MediaResponse extends Disposable {
  readonly status: number;
  /** After redirects. */
  readonly url: string;
  header(name: string): string | undefined;
  readonly body: AsyncIterable<Buffer>;
}

/**
 * An HTTP client that connects through a conversion's guard session and acquires a slot of the host for each request.
 */
export class MediaClient implements AsyncDisposable {
  readonly pauses: RequestPauses;
  readonly #session: GuardSession;
  readonly #hostSemaphore: HostSemaphore | undefined;
  readonly #renew: Renew | undefined;
  /** What addresses were replaced by. */
  readonly #renewed = new Map<string, string>();
  readonly #agent: Agent;
  readonly #dispatcher: Dispatcher;

  /**
   * @param pauses of the conversion; `get` does not wait for them
   * @param renew asked once for an address that is refused
   */
  constructor(session: GuardSession, pauses: RequestPauses, hostSemaphore?: HostSemaphore, renew?: Renew) {
    this.pauses = pauses;
    this.#session = session;
    this.#hostSemaphore = hostSemaphore;
    this.#renew = renew;
    this.#agent = new Agent({ connect: session.connect, connections: CONNECTIONS_PER_HOST });
    this.#dispatcher = this.#agent.compose(interceptors.redirect({ maxRedirections: MAX_REDIRECTS }));
  }

  /**
   * Sends a GET request and follows redirects.
   * @returns the response, with a status of 200 to 299 or 416
   * @throws TooManyRequests, ConversionError for any other status and for a connection that breaks; what renewing throws
   * @throws `signal.reason` when aborted
   */
  async get(url: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<MediaResponse> {
    const known = this.#renewed.get(url);
    const answer = await this.#send(known ?? url, headers, signal);
    if (!(answer instanceof ConversionError)) return answer;
    const renewed = known === undefined ? await this.#renew?.(url) : undefined;
    if (renewed === undefined || renewed === url) throw answer;
    this.#renewed.set(url, renewed);
    return this.get(url, headers, signal);
  }

  /** @returns an error for an address that may have ended */
  async #send(
    url: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<MediaResponse | ConversionError> {
    const { origin, pathname, search } = new URL(url);
    using resources = new DisposableStack();
    const slot = await this.#hostSemaphore?.acquire(origin, this.#session, signal);
    if (slot) resources.use(slot);
    try {
      const response = await this.#dispatcher.request({
        origin,
        path: pathname + search,
        method: "GET",
        headers: { ...headers, "accept-encoding": "identity" },
        signal,
      });
      const { statusCode: status, body } = response;
      resources.defer(() => body.destroy());
      const header = (name: string): string | undefined => lastOf([response.headers[name] ?? []].flat());
      // Reading the body throws its errors. An error after the last read has no reader and must not end the process.
      body.on("error", () => undefined);
      if ((status < 200 || status >= 300) && status !== 416) {
        const error = classifyStatus(status, header("retry-after"), this.#session.refusals);
        if (ENDED.has(status)) return error;
        throw error;
      }
      checkNotEncoded(response.headers["content-encoding"]);
      const responseResources = resources.move();
      return {
        status,
        url: lastOf((response.context as { history?: readonly URL[] } | null)?.history) ?? url,
        header,
        body,
        [Symbol.dispose]: () => responseResources.dispose(),
      };
    } catch (error) {
      throw this.translateError(error, signal);
    }
  }

  /**
   * Translates an error of a request or of its body.
   * @returns the error to throw: `signal.reason` when aborted, else a ConversionError
   */
  translateError(error: unknown, signal: AbortSignal): unknown {
    if (signal.aborted) return signal.reason;
    if (error instanceof ConversionError) return error;
    const cause = describeFetchError(error);
    // The redirect interceptor throws InvalidArgumentError for a redirect loop.
    const hasKnownCause = this.#session.refusals.length > 0 || error instanceof errors.InvalidArgumentError;
    return hasKnownCause ? this.#classify(cause) : new ConversionError("network", { detail: cause, cause: error });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.destroy();
  }

  #classify(stderrTail: string): ConversionError {
    return classifyFetchFailure({ stderrTail, refusals: this.#session.refusals });
  }
}

/**
 * Media is compressed already. Nothing here unpacks it, and a tool that did would write much more than was received.
 * @throws ConversionError "unavailable" for any encoding (RFC 9110, section 8.4)
 */
function checkNotEncoded(header: string | string[] | undefined): void {
  const encodings = [header ?? []].flat().join(",");
  if (encodings.split(",").every((name) => ["", "identity"].includes(name.trim().toLowerCase()))) return;
  throw new ConversionError("unavailable", { ...NOT_READABLE, detail: `Content-Encoding: ${encodings}` });
}

function lastOf(values: readonly { toString(): string }[] | undefined): string | undefined {
  return values?.at(-1)?.toString();
}
