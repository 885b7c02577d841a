/** Reads the body of a request, without parsing it. */
import type { IncomingMessage } from "node:http";
import { UserError } from "../../../common/errors.ts";

/**
 * @param maxBytes checked against the declared length and, for a body sent in chunks, against the bytes received
 * @throws UserError payload_too_large, or bad_request when the client breaks off
 */
export async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) throw new UserError("payload_too_large");
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  // The request is not destroyed when reading stops early, because its connection carries the answer.
  const arriving: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
  try {
    for await (const chunk of arriving) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) throw new UserError("payload_too_large");
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof UserError ? error : new UserError("bad_request");
  }
  return Buffer.concat(chunks);
}

/** Reads the body as UTF-8 text; otherwise as `readBytes`. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<string> {
  return (await readBytes(request, maxBytes)).toString("utf8");
}
