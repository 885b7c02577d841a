import { chakra } from "@chakra-ui/react";
import { isActive } from "../../../../common/job.ts";
import { useJobs } from "../../client/stores.ts";
import { jobsToShow } from "../../stores/jobs.ts";
import { Link } from "../Link.tsx";

const HomeLink = chakra(Link);

// Each reel is its own svg element, because the compositor can rotate elements but not parts of them.
const Reel = chakra("svg", {
  base: {
    position: "absolute",
    top: "6px",
    w: "11px",
    h: "11px",
    stroke: "accent",
    fill: "none",
    willChange: "transform",
    animation: "reel 2.4s linear infinite",
    animationPlayState: "paused",
    "&[data-turning]": { animationPlayState: "running" },
    _motionReduce: { animation: "none" },
  },
});

/** A reel with three teeth, which make the rotation visible. */
function Spool({ left, isTurning }: { left: string; isTurning: boolean }) {
  return (
    <Reel viewBox="0 0 11 11" left={left} data-turning={isTurning || undefined}>
      <circle cx="5.5" cy="5.5" r="4" strokeWidth="2.4" />
      {[0, 120, 240].map((angle) => (
        <path key={angle} d="M5.5 2.6v1.5" strokeWidth="1.5" transform={`rotate(${angle} 5.5 5.5)`} />
      ))}
    </Reel>
  );
}

/** The product's name with a cassette, whose reels turn while a job is active. */
export function Wordmark() {
  const isTurning = useJobs((state) =>
    jobsToShow(state).some((job) => job.status !== "queued" && isActive(job.status)),
  );
  return (
    <HomeLink
      to="/"
      display="inline-flex"
      alignItems="center"
      gap="2.5"
      minH="11"
      borderRadius="sm"
      fontFamily="heading"
      fontWeight={700}
      fontSize="1.3125rem"
      lineHeight="1"
      letterSpacing="-0.02em"
    >
      <chakra.span position="relative" w="34px" h="24px" flexShrink={0} aria-hidden="true">
        <svg width="34" height="24" viewBox="0 0 34 24">
          <rect x="1" y="1" width="32" height="22" rx="6" fill="none" stroke="currentColor" strokeWidth="2" />
          <path d="M10 20.5h14" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
        </svg>
        <Spool left="5.5px" isTurning={isTurning} />
        <Spool left="17.5px" isTurning={isTurning} />
      </chakra.span>
      Tapedeck
    </HomeLink>
  );
}
