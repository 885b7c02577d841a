/** Errors in the provider's own shape and, where it matters, with its own messages. */

export interface ErrorBody {
  readonly type: "api_error" | "card_error" | "idempotency_error" | "invalid_request_error";
  readonly message: string;
  readonly code?: string;
  readonly decline_code?: string;
  readonly param?: string;
  readonly payment_intent?: object;
  readonly setup_intent?: object;
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

export function invalidRequest(message: string, details: { code?: string; param?: string } = {}, status = 400) {
  return new ApiError(status, { type: "invalid_request_error", message, ...details });
}

/** @param noun such as `customer`, for the message "No such customer: 'cus_1'" */
export function noSuch(noun: string, id: string, param?: string): ApiError {
  const details = { code: "resource_missing", param: param ?? "id" };
  return invalidRequest(`No such ${noun}: '${id}'`, details, param === undefined ? 404 : 400);
}
