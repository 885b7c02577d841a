import type { RequestParts } from "../outbox/requests.ts";

const unanswered = () => new Promise<never>(() => undefined);

/** For tests: none of its calls is answered. */
export const silentApi: RequestParts["api"] = {
  createConversion: unanswered,
  createBatch: unanswered,
  createSelection: unanswered,
  cancelConversion: unanswered,
  removeConversion: unanswered,
  retryConversion: unanswered,
  cancelBatch: unanswered,
  retryBatch: unanswered,
  getConversion: unanswered,
};
