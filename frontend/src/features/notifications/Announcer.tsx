import { chakra } from "@chakra-ui/react";
import { useSpokenLine } from "../../client/announcer.ts";

/**
 * The page's live regions, in which screen readers hear what stores/announcer.ts says. Both are always in the page,
 * because content of a new live region is not announced.
 */
export function Announcer() {
  const { text, isUrgent, number } = useSpokenLine();
  const line = text !== "" && <span key={number}>{text}</span>;
  return (
    <chakra.div srOnly data-announcer="">
      <div aria-live="polite">{!isUrgent && line}</div>
      <div aria-live="assertive">{isUrgent && line}</div>
    </chakra.div>
  );
}
