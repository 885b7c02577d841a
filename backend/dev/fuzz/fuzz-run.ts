import type { ServerUnderFuzz } from "./server-under-fuzz.ts";
import type { Tally } from "./tally.ts";
import type { FuzzVisitor } from "./visitors.ts";

export interface FuzzRun {
  readonly server: ServerUnderFuzz;
  readonly visitors: readonly FuzzVisitor[];
  /** Of the visitor on Pro. */
  readonly token: string;
  readonly tally: Tally;
  readonly seed: number;
}
