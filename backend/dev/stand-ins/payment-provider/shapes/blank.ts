/** Objects with all fields of the API and without contents: null, or what stripe-mock's fixtures have. */
import type { Collections, Kind } from "../state.ts";
import blankObjects from "./blank-objects.json" with { type: "json" };

export function blank<K extends Kind>(kind: K): Collections[K] {
  // The full test compares the fields of each kind with those of the API.
  return structuredClone(blankObjects[kind]) as unknown as Collections[K];
}
