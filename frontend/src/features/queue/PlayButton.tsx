import { chakra } from "@chakra-ui/react";
import type { Job } from "../../../../common/job.ts";
import { player, usePlayer } from "../../client/player.ts";
import { canPlay } from "../../ready/player.ts";
import { usePlayerTexts } from "../../texts/player/index.ts";
import { useFormats } from "../../texts/store.ts";

/** Over the picture of the job, and 44 px high also where the picture is lower. */
const Button = chakra("button", {
  base: {
    position: "absolute",
    insetX: "0",
    top: "50%",
    minH: "11",
    h: "full",
    transform: "translateY(-50%)",
    display: "grid",
    // Beside the length on the small picture of phones.
    placeItems: { base: "center start", sm: "center" },
    ps: { base: "0.5", sm: "0" },
    borderRadius: "sm",
    cursor: "pointer",
  },
});

const Sign = chakra("svg", {
  base: {
    w: { base: "1.125rem", sm: "8" },
    h: { base: "1.125rem", sm: "8" },
    p: { base: "0.5", sm: "1.5" },
    borderRadius: "full",
    bg: "rgb(0 0 0 / 72%)",
    color: "white",
    fill: "currentColor",
    "button:hover > &": { bg: "black" },
  },
});

/** Plays the file of a job, pauses it, or lets it go on. Nothing for a file that the browser does not play. */
export function PlayButton({ job }: { job: Job }) {
  const texts = usePlayerTexts();
  const isPlaying = usePlayer((state) => state.jobId === job.id && state.isPlaying);
  if (!canPlay(job)) return null;
  return (
    <Button
      type="button"
      aria-label={isPlaying ? texts.pause(job.title) : texts.play(job.title)}
      onClick={() => player.toggle(job)}
    >
      <Sign viewBox="0 0 18 18" aria-hidden="true">
        <path d={isPlaying ? "M4.5 3h3v12h-3zM10.5 3h3v12h-3z" : "M5 2.5v13l11-6.5z"} />
      </Sign>
    </Button>
  );
}

/** How far a file has been played while it is in the player, else its length. */
export function PlayedTime({ job: { id, durationSeconds = 0 } }: { job: Job }) {
  const playedSeconds = usePlayer(({ jobId, positionSeconds }) => (jobId === id ? Math.floor(positionSeconds) : null));
  return useFormats().clock(playedSeconds ?? durationSeconds);
}
