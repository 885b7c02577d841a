/** What was typed and not sent, also after a visit to another page of the site. A reload forgets it. */
import { EMPTY } from "./check.ts";
import type { Draft } from "./check.ts";

let kept: Draft = EMPTY;

export const keptDraft = (): Draft => kept;

export function keepDraft(draft: Draft): void {
  kept = draft;
}
