import { chakra } from "@chakra-ui/react";
import { Link } from "react-router";
import { isActive } from "../../../common/job.ts";
import { useJobs } from "../app.ts";
import { jobsToShow } from "../stores/jobs.ts";

const HomeLink = chakra(Link);

const Reel = chakra("g", {
  base: {
    transformBox: "fill-box",
    transformOrigin: "center",
    animation: "reel 2.4s linear infinite",
    animationPlayState: "paused",
    "&[data-turning]": { animationPlayState: "running" },
    _motionReduce: { animation: "none" },
  },
});

/** A hub with three teeth, so that turning can be seen. */
function Spool({ cx, isTurning }: { cx: number; isTurning: boolean }) {
  return (
    <Reel data-turning={isTurning || undefined} stroke="var(--chakra-colors-accent)" fill="none">
      <circle cx={cx} cy="11.5" r="4" strokeWidth="2.4" />
      {[0, 120, 240].map((angle) => (
        <path key={angle} d={`M${cx} 8.6v1.5`} strokeWidth="1.5" transform={`rotate(${angle} ${cx} 11.5)`} />
      ))}
    </Reel>
  );
}

/** The product's name and its cassette, whose reels turn while something converts. */
export function Wordmark() {
  const isTurning = useJobs((state) => jobsToShow(state).some((job) => job.status !== "queued" && isActive(job.status)));
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
      <svg width="34" height="24" viewBox="0 0 34 24" aria-hidden="true">
        <rect x="1" y="1" width="32" height="22" rx="6" fill="none" stroke="currentColor" strokeWidth="2" />
        <Spool cx={11} isTurning={isTurning} />
        <Spool cx={23} isTurning={isTurning} />
        <path d="M10 20.5h14" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      </svg>
      Tapedeck
    </HomeLink>
  );
}
