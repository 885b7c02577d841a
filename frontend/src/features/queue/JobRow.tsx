import { Box, Flex, chakra } from "@chakra-ui/react";
import { memo, useState } from "react";
import { isActive } from "../../../../common/job.ts";
import { JobButtons } from "./JobButtons.tsx";
import { JobDetails } from "./JobDetails.tsx";
import { Thumbnail } from "./Thumbnail.tsx";
import type { Row } from "./rows.ts";

/** Opens and closes by its one grid row, so that its neighbours slide instead of jumping. */
const Slot = chakra("li", {
  base: {
    display: "grid",
    gridTemplateRows: "1fr",
    "& + &": { borderTop: "1px solid {colors.border}" },
    "&[data-motion=entering]": { animation: "rowEnter 220ms ease-out" },
    "&[data-motion=leaving]": { animation: "rowLeave 180ms ease-in forwards", pointerEvents: "none" },
    // Still an animation, since its end is what takes a leaving row away.
    _motionReduce: { animationDuration: "1ms !important" },
  },
});

const Content = chakra("article", {
  base: {
    display: "grid",
    gridTemplateColumns: { base: "4.5rem 1fr auto", sm: "6rem 1fr auto" },
    columnGap: { base: "3", sm: "4" },
    alignItems: "center",
    // As high as the tallest state, a bar with its line: a job changes state without moving the page.
    minH: { base: "7.875rem", sm: "5.8125rem" },
    ps: { base: "3", sm: "4" },
    pe: { base: "1.5", sm: "3" },
    py: "3",
    "&[data-finished]": { animation: "rowGlow 1.6s ease-out" },
    _motionReduce: { animation: "none !important" },
  },
});

const Title = chakra("h3", {
  base: {
    fontSize: "md",
    fontWeight: 600,
    lineHeight: 1.4,
    letterSpacing: "-0.01em",
    overflowWrap: "anywhere",
    lineClamp: { base: 2, sm: 1 },
  },
});

export interface JobRowProps extends Row {
  readonly onLeft: (id: string) => void;
}

export const JobRow = memo(function JobRow({ job, motion, onLeft }: JobRowProps) {
  // Only a job that was seen working is felt when it finishes, not one that was finished all along.
  const [wasSeenActive, setWasSeenActive] = useState(false);
  if (!wasSeenActive && isActive(job.status)) setWasSeenActive(true);
  const hasJustFinished = wasSeenActive && job.status === "completed";

  return (
    <Slot
      data-motion={motion}
      data-job={job.id}
      data-status={job.status}
      aria-hidden={motion === "leaving" || undefined}
      onAnimationEnd={(event) => event.target === event.currentTarget && motion === "leaving" && onLeft(job.id)}
    >
      <Box minH="0" overflow="hidden">
        <Content data-finished={hasJustFinished || undefined}>
          <Thumbnail job={job} />
          <Box minW="0">
            {/* A phone keeps two lines: the link gives way to a title of either length. */}
            <Flex direction="column" justify="end" minH={{ base: "2.625rem", sm: "0" }}>
              <Title dir="auto" title={job.title}>
                {job.title}
              </Title>
            </Flex>
            {/* As high as a bar with its line in every state, so that the title stays where it is. */}
            <Box minH={{ base: "3.75rem", sm: "2.625rem" }}>
              <JobDetails job={job} />
            </Box>
          </Box>
          <JobButtons job={job} isFresh={hasJustFinished} />
        </Content>
      </Box>
    </Slot>
  );
});
