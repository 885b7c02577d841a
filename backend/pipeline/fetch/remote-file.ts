/** Fetches small files, playlists and pictures, through a guard session as the tools do. */
import { Agent, fetch, type RequestInit } from "undici";
import { ConversionError } from "../../../common/errors.ts";
import { classifyFetchFailure, classifyStatus, describeFetchError } from "../errors/classify.ts";
import type { GuardSession } from "../guard/egress-guard.ts";
import type { HostSemaphore } from "./host-semaphore.ts";

export interface RemoteFile {
  readonly body: Buffer;
  /** After redirects. */
  readonly url: string;
  /** Header of the answer. */
  readonly contentType?: string | undefined;
}

export interface RemoteFileRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** Counts the request among the others to its host. */
  readonly hostSemaphore?: HostSemaphore;
}

async function readBounded(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new ConversionError("too_large", { detail: `a file of more than ${maxBytes} bytes` });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Fetches a file into memory. `maxBytes` bounds the decompressed size too.
 * @throws ConversionError with a code of the table in errors/classify.ts
 * @throws `signal.reason` when aborted
 */
export async function fetchRemoteFile(
  session: GuardSession,
  request: RemoteFileRequest,
  signal: AbortSignal,
): Promise<RemoteFile> {
  using resources = new DisposableStack();
  const slot = await request.hostSemaphore?.acquire(URL.parse(request.url)?.origin ?? request.url, session, signal);
  if (slot) resources.use(slot);
  const timeout = AbortSignal.timeout(request.timeoutMs);
  const agent = new Agent({ connect: session.connect });
  const init: RequestInit = {
    dispatcher: agent,
    headers: request.headers ?? {},
    signal: AbortSignal.any([signal, session.exceeded, timeout]),
  };
  try {
    const response = await fetch(request.url, init);
    if (!response.ok)
      throw classifyStatus(response.status, response.headers.get("retry-after") ?? undefined, session.refusals);
    const body = await readBounded(response.body ?? (async function* () {})(), request.maxBytes);
    return { body, url: response.url, contentType: response.headers.get("content-type") ?? undefined };
  } catch (error) {
    signal.throwIfAborted();
    session.exceeded.throwIfAborted();
    if (error instanceof ConversionError) throw error;
    if (timeout.aborted) throw new ConversionError("timeout", { detail: request.url, cause: error });
    const detail = describeFetchError(error);
    const failure = classifyFetchFailure({ stderrTail: detail, refusals: session.refusals });
    throw failure.code === "internal" ? new ConversionError("network", { detail, cause: error }) : failure;
  } finally {
    await agent.destroy();
  }
}
