import { useState } from "react";
import type { RefObject } from "react";

/**
 * Copies a text that a field shows.
 * @returns whether the text is the one that was copied last, and what copies it
 */
export function useCopy(text: string, field: RefObject<HTMLInputElement | null>): [boolean, () => Promise<void>] {
  const [copied, setCopied] = useState<string | null>(null);

  async function copy(): Promise<void> {
    field.current?.select();
    // Browsers refuse it on pages without https; the selected text can be copied by hand then.
    await navigator.clipboard?.writeText(text).then(
      () => setCopied(text),
      () => setCopied(null),
    );
  }
  return [copied === text, copy];
}
