/** Sends raw bytes to a server, also requests that no HTTP client would send. */
import { connect } from "node:net";
import { once } from "node:events";

export interface RawAnswer {
  readonly status: number;
  /** By lower-case name; of several with the same name the last. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/**
 * @param bytes a complete request with `Connection: close`; a string is sent as latin1
 * @returns the last answer on the connection; null when the server closed it without an answer
 */
export async function sendRaw(origin: string, bytes: string | Buffer): Promise<RawAnswer | null> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  // The connection may be reset; the bytes received before are parsed all the same.
  socket.on("error", () => undefined);
  socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
  await once(socket, "close");
  return parseAnswer(Buffer.concat(chunks).toString("latin1"));
}

function parseAnswer(text: string): RawAnswer | null {
  // Skip "100 Continue", which comes before the real answer.
  const final = text.replace(/^(?:HTTP\/1\.1 1\d\d [^]*?\r\n\r\n)+/, "");
  const [, status, head = "", body = ""] = /^HTTP\/1\.1 (\d{3})[^\r]*\r\n([^]*?)\r\n\r\n([^]*)$/.exec(final) ?? [];
  if (status === undefined) return null;
  const headers = new Map(
    head
      .split("\r\n")
      .map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  return { status: Number(status), headers, body };
}

/**
 * @param line request line
 * @param headerLines complete header lines; they replace the host and length that are added otherwise
 * @returns the bytes of a request with `Connection: close`
 */
export function rawRequest(line: string, headerLines: readonly string[] = [], body: Buffer | string = ""): Buffer {
  const bytes = typeof body === "string" ? Buffer.from(body, "latin1") : body;
  const hasHost = headerLines.some((header) => /^host:/i.test(header));
  const isFramed = headerLines.some((header) => /^(?:content-length|transfer-encoding):/i.test(header));
  const head = [
    line,
    ...(hasHost ? [] : ["Host: 127.0.0.1"]),
    "Connection: close",
    ...(isFramed || bytes.length === 0 ? [] : [`Content-Length: ${bytes.length}`]),
    ...headerLines,
    "",
    "",
  ];
  return Buffer.concat([Buffer.from(head.join("\r\n"), "latin1"), bytes]);
}

/**
 * Checks an answer to a hostile request: it must have a status below 500 and the security headers.
 * @returns what is wrong, or null
 */
export function faultOf(answer: RawAnswer | null): string | null {
  if (answer === null) return "the connection was closed without an answer";
  if (answer.status >= 500) return `it is a ${answer.status}: ${answer.body}`;
  if (answer.headers.get("content-security-policy")?.includes("frame-ancestors 'none'") !== true)
    return "it has no content security policy";
  if (answer.headers.get("x-content-type-options") !== "nosniff") return "it has no x-content-type-options: nosniff";
  return null;
}
