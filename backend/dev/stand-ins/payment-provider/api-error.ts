/** Errors in the provider's own shape and, where it matters, with its own messages. */

export type ErrorType = "api_error" | "card_error" | "idempotency_error" | "invalid_request_error" | "validation_error";

export interface ErrorBody {
  readonly type: ErrorType;
  readonly message: string;
  readonly code?: string;
  readonly decline_code?: string;
  readonly param?: string;
  readonly payment_intent?: unknown;
  readonly setup_intent?: unknown;
}

export class ApiError extends Error {
  readonly status: number;
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody) {
    super(body.message);
    this.name = "ApiError";
    this.status = status;
    this.body = body;
  }
}

export function invalidRequest(message: string, details: { code?: string; param?: string } = {}): ApiError {
  return new ApiError(400, { type: "invalid_request_error", message, ...details });
}

/** @param noun such as `customer`, for the message "No such customer: 'cus_1'" */
export function noSuch(noun: string, id: string, param = "id", status: 400 | 404 = 404): ApiError {
  return new ApiError(status, {
    type: "invalid_request_error",
    code: "resource_missing",
    message: `No such ${noun}: '${id}'`,
    param,
  });
}
