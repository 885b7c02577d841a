/** Reads the answers on an HTTP/1.1 connection, however many there are. */

export interface HttpAnswer {
  readonly status: number;
  /** By lower-case name; of several with the same name the last. */
  readonly headers: ReadonlyMap<string, string>;
  /** Without chunk sizes, as latin1. */
  readonly body: string;
}

interface Part<T> {
  readonly value: T;
  /** Where the next part begins. */
  readonly end: number;
}

const HEAD_END = Buffer.from("\r\n\r\n");

/**
 * @param methods methods of the requests, in order: an answer to HEAD has no body
 * @param isClosed whether no more bytes come, which ends an answer without a length
 * @returns the complete answers; interim answers (1xx) are left out, but for 101
 */
export function readAnswers(bytes: Buffer, methods: readonly string[], isClosed: boolean): HttpAnswer[] {
  const answers: HttpAnswer[] = [];
  let offset = 0;
  for (;;) {
    const answer = readAnswer(bytes, offset, methods[answers.length] ?? "GET", isClosed);
    if (answer === null) return answers;
    offset = answer.end;
    const { status } = answer.value;
    if (status >= 200 || status === 101) answers.push(answer.value);
    // What follows is no HTTP.
    if (status === 101) return answers;
  }
}

function readAnswer(bytes: Buffer, start: number, method: string, isClosed: boolean): Part<HttpAnswer> | null {
  const headEnd = bytes.indexOf(HEAD_END, start);
  if (headEnd < 0) return null;
  const [statusLine = "", ...lines] = bytes.toString("latin1", start, headEnd).split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1] ?? "0");
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const bodyStart = headEnd + HEAD_END.length;
  const body = readBody(bytes, bodyStart, { status, headers, method, isClosed });
  return body && { value: { status, headers, body: body.value }, end: body.end };
}

interface BodyOptions {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly method: string;
  readonly isClosed: boolean;
}

function readBody(bytes: Buffer, start: number, options: BodyOptions): Part<string> | null {
  const { status, headers, method, isClosed } = options;
  if (method === "HEAD" || status < 200 || status === 204 || status === 304) return { value: "", end: start };
  // A stream of events has no end: what has come by then is the answer.
  if (isClosed && headers.get("content-type")?.startsWith("text/event-stream") === true)
    return { value: bytes.toString("latin1", start), end: bytes.length };
  if (headers.get("transfer-encoding") === "chunked") return readChunks(bytes, start);
  const length = headers.get("content-length");
  if (length === undefined) return isClosed ? { value: bytes.toString("latin1", start), end: bytes.length } : null;
  const end = start + Number(length);
  return end <= bytes.length ? { value: bytes.toString("latin1", start, end), end } : null;
}

function readChunks(bytes: Buffer, start: number): Part<string> | null {
  const chunks: string[] = [];
  let offset = start;
  for (;;) {
    const lineEnd = bytes.indexOf("\r\n", offset);
    if (lineEnd < 0) return null;
    const size = Number.parseInt(bytes.toString("latin1", offset, lineEnd), 16);
    const end = lineEnd + 2 + size + 2;
    if (end > bytes.length) return null;
    if (size === 0) return { value: chunks.join(""), end };
    chunks.push(bytes.toString("latin1", lineEnd + 2, end - 2));
    offset = end;
  }
}
