/** How a request says where its body ends, rightly or not. */

/** Wrong ways to send a length or chunks; "exact" is the right one. */
export const FRAMINGS = [
  "exact",
  "chunked",
  "too long",
  "too short",
  "both",
  "twice",
  "negative",
  "not a number",
  "huge",
  "bad chunk size",
  "huge chunk",
  "cut chunk",
  "chunk extension",
  "trailers",
] as const;
export type Framing = (typeof FRAMINGS)[number];

/** @returns header lines, and the body as it goes over the wire */
export function frameBody(framing: Framing, body: Buffer): { lines: readonly string[]; bytes: Buffer } {
  const length = (value: string | number) => [`Content-Length: ${value}`];
  const chunks = ["Transfer-Encoding: chunked"];
  switch (framing) {
    case "exact":
      return { lines: body.length === 0 ? [] : length(body.length), bytes: body };
    case "chunked":
      return { lines: chunks, bytes: inChunks(body) };
    case "too long":
      return { lines: length(body.length + 100), bytes: body };
    case "too short":
      return { lines: length(Math.max(0, body.length - 5)), bytes: body };
    case "both":
      return { lines: [...length(body.length), ...chunks], bytes: inChunks(body) };
    case "twice":
      return { lines: [...length(body.length), ...length(body.length + 1)], bytes: body };
    case "negative":
      return { lines: length(-1), bytes: body };
    case "not a number":
      return { lines: length("1e3"), bytes: body };
    case "huge":
      return { lines: length("999999999999999999999999"), bytes: body };
    case "bad chunk size":
      return { lines: chunks, bytes: Buffer.concat([Buffer.from("-1\r\n"), body]) };
    case "huge chunk":
      return { lines: chunks, bytes: Buffer.concat([Buffer.from("ffffffffffffffff\r\n"), body]) };
    case "cut chunk":
      return { lines: chunks, bytes: inChunks(body).subarray(0, -7) };
    case "chunk extension":
      return { lines: chunks, bytes: inChunks(body, `;${"x".repeat(20_000)}`) };
    case "trailers":
      return { lines: chunks, bytes: Buffer.concat([inChunks(body).subarray(0, -2), Buffer.from("Host: x\r\n\r\n")]) };
  }
}

function inChunks(body: Buffer, extension = ""): Buffer {
  const half = Math.ceil(body.length / 2);
  const parts = [body.subarray(0, half), body.subarray(half)].filter(({ length }) => length > 0);
  const chunks = parts.flatMap((part) => [
    Buffer.from(`${part.length.toString(16)}${extension}\r\n`),
    part,
    Buffer.from("\r\n"),
  ]);
  return Buffer.concat([...chunks, Buffer.from("0\r\n\r\n")]);
}
