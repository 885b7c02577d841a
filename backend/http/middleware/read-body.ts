/** Reads the body of a request that no parser may touch. */
import type { IncomingMessage } from "node:http";
import { UserError } from "../../../common/errors.ts";

/**
 * @param maxBytes counted as they arrive, so that a body sent in chunks needs no declared length
 * @throws UserError payload_too_large, or bad_request when the caller breaks off
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<string> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) throw new UserError("payload_too_large");
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  // The request is not destroyed when reading stops early: its connection still carries the answer.
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
  return Buffer.concat(chunks).toString("utf8");
}
