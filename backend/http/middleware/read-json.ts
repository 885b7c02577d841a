/** Reads the JSON body of a call. */
import { promisify } from "node:util";
import { brotliDecompress, unzip } from "node:zlib";
import type { Middleware } from "koa";
import { UserError } from "../../../common/errors.ts";
import type { DeclaredState } from "./declared-call.ts";
import { readBytes } from "./read-body.ts";

declare module "koa" {
  interface Request {
    /** The parsed JSON body, not validated yet; `{}` if there is none. */
    body?: unknown;
  }
}

/**
 * Much larger than a batch of the longest links; a declaration may allow more. It limits the body before and after
 * decompression.
 */
export const MAX_BODY_BYTES = 100 * 1024;
export const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
const OBJECT_OR_ARRAY = /^[ \t\r\n]*[[{]/;

type Decompress = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;
/** By the value of `Content-Encoding`. */
const DECOMPRESS: ReadonlyMap<string, Decompress> = new Map([
  ["gzip", promisify<Buffer, object, Buffer>(unzip)],
  ["deflate", promisify<Buffer, object, Buffer>(unzip)],
  ["br", promisify<Buffer, object, Buffer>(brotliDecompress)],
]);

/**
 * Puts the parsed body on `ctx.request.body`.
 * @throws UserError payload_too_large, or bad_request for every other fault of the body
 */
export function readJson(): Middleware<Partial<DeclaredState>> {
  return async (ctx, next) => {
    ctx.request.body = {};
    if (JSON_TYPE.test(ctx.get("Content-Type"))) {
      const maxBytes = ctx.state.declared?.maxBodyBytes ?? MAX_BODY_BYTES;
      const bytes = await readBytes(ctx.req, maxBytes);
      ctx.request.body = parseJson(await decompress(bytes, ctx.get("Content-Encoding"), maxBytes));
    }
    await next();
  };
}

async function decompress(bytes: Buffer, encoding: string, maxBytes: number): Promise<Buffer> {
  if (encoding === "" || encoding === "identity") return bytes;
  const decompressBytes = DECOMPRESS.get(encoding);
  if (!decompressBytes) throw new UserError("bad_request");
  try {
    return await decompressBytes(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    const isTooLarge = error instanceof RangeError && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    throw new UserError(isTooLarge ? "payload_too_large" : "bad_request");
  }
}

/** @returns an object or an array; `{}` for an empty body */
function parseJson(bytes: Buffer): unknown {
  const text = new TextDecoder().decode(bytes);
  if (text === "") return {};
  if (!OBJECT_OR_ARRAY.test(text)) throw new UserError("bad_request");
  try {
    return JSON.parse(text, refusePrototype);
  } catch {
    // The client sent something else than JSON.
    throw new UserError("bad_request");
  }
}

/** Copying such a key to another object would replace that object's prototype. */
function refusePrototype(key: string, value: unknown): unknown {
  if (key === "__proto__") throw new UserError("bad_request");
  return value;
}
