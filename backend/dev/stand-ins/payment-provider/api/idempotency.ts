/** Stores answers by idempotency key, for calls that are sent again. */
import { ApiError } from "../api-error.ts";
import type { Answer } from "./api.ts";

/** Keys are valid for this time: https://docs.stripe.com/api/idempotent_requests. */
const VALID_MS = 24 * 3_600_000;

export class IdempotentAnswers {
  readonly #stored = new Map<
    string,
    { readonly path: string; readonly form: string; readonly answer: Answer; readonly atMs: number }
  >();

  /** @throws ApiError 400 when the key was used with another path or other parameters */
  find(key: string, path: string, form: string): Answer | undefined {
    const stored = this.#stored.get(key);
    if (!stored || Date.now() - stored.atMs > VALID_MS) return undefined;
    if (stored.path !== path)
      throw new ApiError(400, {
        type: "idempotency_error",
        message:
          "Keys for idempotent requests can only be used for the same endpoint they were first used " +
          `for ('${path}' vs '${stored.path}'). Try using a key other than '${key}' if you meant to execute ` +
          "a different request.",
      });
    if (stored.form !== form)
      throw new ApiError(400, {
        type: "idempotency_error",
        message:
          "Keys for idempotent requests can only be used with the same parameters they were first " +
          `used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      });
    return stored.answer;
  }

  /** Stores an answer, except for invalid parameters, where nothing was done. */
  store(key: string, path: string, form: string, answer: Answer): void {
    if (answer.status === 400) return;
    this.#stored.set(key, { path, form, answer, atMs: Date.now() });
  }
}
