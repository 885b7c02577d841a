/** The one toast at a time, and how to show it. */
import { createToaster } from "@chakra-ui/react";
import type { Notice } from "./notice.ts";

const TOAST_DURATION_MS = 5_000;

export const toaster = createToaster({
  placement: "bottom-end",
  max: 1,
  duration: TOAST_DURATION_MS,
  hotkey: ["F8"],
});

/** Replaces whatever is shown: the newest word is the one that counts. */
export function notify({ kind, title, description }: Notice): void {
  toaster.remove();
  toaster.create({ type: kind, title, description, closable: true });
}
