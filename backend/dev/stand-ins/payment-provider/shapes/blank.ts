/** Objects with all fields of the API and without contents: null, or what stripe-mock's fixtures have. */
import type { Account } from "../account.ts";
import type { Collections } from "../state.ts";
import blankObjects from "./blank-objects.json" with { type: "json" };

export const BLANK_KINDS = [
  "customer",
  "product",
  "price",
  "subscription",
  "invoice",
  "payment_intent",
  "setup_intent",
  "charge",
  "refund",
  "dispute",
] as const;

/** @returns a new object with an id, to which its contents must be added */
export function blank<K extends (typeof BLANK_KINDS)[number]>(account: Account, kind: K): Collections[K] {
  // The full test compares the fields of each kind with those of the API.
  const fields = structuredClone(blankObjects[kind]) as unknown as Collections[K];
  return { ...fields, id: account.newId(kind), created: account.now() };
}
