import { Box } from "@chakra-ui/react";
import { useCallback } from "react";
import type { Job } from "../../../../common/job.ts";
import { usePlayer } from "../../client/player.ts";
import { usePlayerTexts } from "../../texts/player/index.ts";

/** Below the rest of the row, so that it moves no button: the picture of a file that is played, or why it is not. */
export function PlayerPlace({ job }: { job: Job }) {
  const texts = usePlayerTexts();
  const video = usePlayer((state) => (state.jobId === job.id ? state.video : null));
  const problem = usePlayer((state) => (state.jobId === job.id ? state.problem : null));
  const show = useCallback((place: HTMLDivElement | null) => void (video && place?.replaceChildren(video)), [video]);
  if (!video && !problem) return null;
  return (
    <Box gridColumn="1 / -1" gridRow={4} pt="1" pb="2" pe="2.5" fontSize="sm" color="fg.muted">
      {video && (
        <Box
          ref={show}
          css={{ "& > video": { w: "full", maxW: "24rem", aspectRatio: "16 / 9", borderRadius: "sm", bg: "black" } }}
        />
      )}
      {problem && <span role="status">{texts[problem]}</span>}
    </Box>
  );
}
