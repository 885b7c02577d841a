import { chakra } from "@chakra-ui/react";
import { useAnnouncer } from "../../client/client.ts";

/** Announces the preview and the progress of jobs to screen readers. */
export function Announcer() {
  const text = useAnnouncer((state) => state.text);
  return (
    <chakra.div srOnly aria-live="polite" data-announcer="">
      {text}
    </chakra.div>
  );
}
