/** The connections to the bench's site. */
import type { WireShape } from "../measuring/shaped-wire.ts";

export const WIRE_NAMES = ["unlimited", "100", "20", "5"] as const;
export type WireName = (typeof WIRE_NAMES)[number];

/** A typical round trip across a continent. */
const ROUND_TRIP_MS = 80;

/** The limited wires; their names are megabits per second. */
export const SHAPES: ReadonlyMap<WireName, WireShape> = new Map(
  WIRE_NAMES.filter((name) => name !== "unlimited").map((name) => [
    name,
    { megabitsPerSecond: Number(name), roundTripMs: ROUND_TRIP_MS },
  ]),
);
