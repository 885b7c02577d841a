/** Why a request is not answered now. Apart from the outbox, which the first scripts do without. */

/** The outbox holds as many entries as it takes. */
export class OutboxFull extends Error {
  override readonly name = "OutboxFull";
}

/** The request waits for the network; its answer is delivered through the `onLate…` callbacks. */
export class WaitsForNetwork extends Error {
  override readonly name = "WaitsForNetwork";
}
