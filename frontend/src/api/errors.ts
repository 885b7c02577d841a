import { ZodError } from "zod";
import { ErrorBody } from "../../../common/error-codes.ts";
import type { ErrorCode } from "../../../common/error-codes.ts";
import { sentenceOf } from "../texts/store.ts";
import { parseJson } from "../../../common/parse-json.ts";

/** An error response. `message` is the status, a colon and the body, or the status text without a body. */
export class ApiError extends Error {
  readonly status: number;
  /** Parsed error body; absent when the response is not from the server itself, for instance from a proxy. */
  readonly body: ErrorBody | undefined;

  constructor(status: number, statusText: string, bodyText: string) {
    super(`${status}: ${bodyText || statusText}`);
    this.name = "ApiError";
    this.status = status;
    this.body = parseErrorBody(bodyText);
  }

  get code(): ErrorCode | undefined {
    return this.body?.code;
  }
}

function parseErrorBody(bodyText: string): ErrorBody | undefined {
  return ErrorBody.safeParse(parseJson(bodyText)).data;
}

/** Finds the sentence to show for an error. @returns that of the server's error body, or the fallback without one */
export function sentenceFor(error: unknown, fallback: string): string {
  return (error instanceof ApiError && error.body && sentenceOf(error.body)) || fallback;
}

/** Whether a call was aborted by its caller. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

/** Whether a call has failed: refused, without a network, or with an answer of another shape. Anything else is a fault of ours. */
export function isFailedCall(error: unknown): boolean {
  return error instanceof ApiError || error instanceof TypeError || error instanceof ZodError;
}
