import { Box, Flex, chakra } from "@chakra-ui/react";
import { Suspense, lazy, useState } from "react";
import { useStore } from "zustand";
import { isActive } from "../../../../common/job.ts";
import type { Job } from "../../../../common/job.ts";
import { rowNote } from "../../client/row-note.ts";
import { NARROW } from "../../theme/narrow.ts";
import { JobButtons } from "./JobButtons.tsx";
import { JobDetails, useIsExpired } from "./JobDetails.tsx";
import { PlayButton, PlayedTime } from "./PlayButton.tsx";
import { PlayerPlace } from "./PlayerPlace.tsx";
import { ROOM_FOR_BUTTONS, ROW_HEIGHT, USUAL, middleOf } from "./row-height.ts";
import { Thumbnail } from "./Thumbnail.tsx";
import { WaysOutPlace } from "./WaysOutPlace.tsx";

const JobReceipt = lazy(async () => ({ default: (await import("../speed/JobReceipt.tsx")).JobReceipt }));

/** Below picture and title. */
const DETAILS_BELOW = { gridArea: "2 / 1 / auto / 3" };

/** On phones the way out of an expired file stands below the title, where no other control was. */
const AgainBelowTitle = chakra("div", {
  base: {
    hideFrom: "sm",
    fontSize: "xs",
    lineHeight: 1.2,
    "&& > *": { pb: "0" },
    // What makes 44 px of a line is above it.
    "& a, & button": { minH: "0", pt: "7", mt: "-7", mb: "0" },
  },
});

/** In a list a row on phones is as high as its two rows of buttons, with the details below picture and title. */
const IN_LIST = {
  smDown: {
    gridTemplateRows: "auto 1fr",
    alignItems: "start",
    "& > [data-texts]": { display: "contents" },
    "& > [data-texts] > :first-child": { pt: "2.5", "&[data-expired]": { pt: "1" } },
    "& > [data-texts] > [data-details]": DETAILS_BELOW,
  },
  gridTemplateColumns: { base: "3.5rem minmax(0, 1fr) auto", sm: "6rem minmax(0, 1fr) auto" },
  columnGap: { base: "2.5", sm: "4" },
  // As high as the tallest state, so that a change of state moves nothing.
  minH: ROW_HEIGHT,
  ps: { base: "3", sm: "4" },
  pe: { base: "0.5", sm: "3" },
  py: { base: "0", sm: "3" },
  [USUAL]: { sm: `calc(${ROW_HEIGHT.sm} - {spacing.6})` },
  "--details-size": { base: "{fontSizes.xs}", sm: "{fontSizes.sm}" },
  "& > :first-child": { smDown: { alignSelf: "start", mt: "1.5" } },
  // On phones as far from the edge of the card as the sign of Remove.
  "& > :last-child > [data-place=file]": { me: { base: "2.5", sm: "0" } },
  // On phones 44 px high for fingers, and apart from the lines between the rows for eyes.
  "& > :last-child > :is(a, button):is([data-place=file], [data-place=beside-file])": {
    smDown: {
      border: "0 solid transparent",
      borderBlockWidth: "4px",
      bgClip: "padding-box",
      boxShadow: "inset 0 0 0 1px var(--edge)",
    },
  },
};

/** On phones the details also have the width below the picture. */
const IN_CONVERTER = {
  minH: "inherit",
  smDown: { gridTemplateRows: "auto 1fr" },
  [USUAL]: { sm: "calc(4.875rem - {spacing.2})" },
  ps: { base: "1", sm: "1.5" },
  pt: "2",
  borderRadius: "md",
  "& > [data-texts]": { display: { base: "contents", sm: "block" } },
  "& > [data-texts] > [data-details]": { smDown: DETAILS_BELOW },
  // Download is below Cancel on phones, and in view also where a window is 400 high.
  "& > :last-child": { smDown: { mt: "-1" } },
};

const Content = chakra("article", {
  base: {
    display: "grid",
    position: "relative",
    gridTemplateColumns: { base: "72px minmax(0, 1fr) auto", sm: "6rem minmax(0, 1fr) auto" },
    columnGap: { base: "3", sm: "4" },
    // Retry may stand beside Download, so both need room.
    [NARROW]: { gridTemplateColumns: "3.5rem minmax(0, 1fr) auto", columnGap: "2" },
    alignItems: "center",
    "& > :first-child": { sm: { alignSelf: "start", mt: middleOf("3.375rem") } },
    "& > :last-child": {
      gridArea: { base: "1 / 3 / span 2", sm: "auto" },
      alignSelf: "start",
      sm: { mt: middleOf("{sizes.11}") },
    },
    "&[data-place=list]": IN_LIST,
    "&[data-place=converter]": IN_CONVERTER,
    // Rows outside the viewport are not rendered while their bars move; they keep their last height, or else the
    // usual one without padding. The first rows are always rendered, for printing.
    "li:nth-of-type(n + 9) &": { contentVisibility: "auto" },
    containIntrinsicBlockSize: { base: "auto 5.5rem", sm: "auto 4.3125rem" },
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
    // A title in the other text direction still starts beside its picture.
    _rtl: { textAlign: "right" },
  },
});

export interface JobContentProps {
  readonly job: Job;
  /** In the converter there is less room on the sides, and on phones the bar is wider. */
  readonly place: "queue" | "converter" | "dashboard";
}

/** Picture, title, details and buttons of one job. */
export function JobContent({ job, place }: JobContentProps) {
  // The finish animation is only for jobs that were active on this page.
  const [wasSeenActive, setWasSeenActive] = useState(false);
  if (!wasSeenActive && isActive(job.status)) setWasSeenActive(true);
  const [isOpen, setIsOpen] = useState(false);
  const { Note } = useStore(rowNote);
  const isInList = place !== "converter";
  const isExpired = useIsExpired(job);
  const hasJustFinished = wasSeenActive && job.status === "completed";
  return (
    <>
      <Content data-place={isInList ? "list" : place} data-finished={hasJustFinished || undefined}>
        <Box position="relative">
          <Thumbnail job={job}>
            <PlayedTime job={job} />
          </Thumbnail>
          {/* The words of the player may come later, and the row does not wait for them. */}
          <Suspense>{!isExpired && <PlayButton job={job} />}</Suspense>
        </Box>
        <Box minW="0" data-texts="">
          {/* In the converter of a phone two lines are reserved: the title that replaces the link may need them. */}
          <Flex
            direction="column"
            justify="end"
            minH={{ base: isInList ? "0" : "2.625rem", sm: "0" }}
            pe={{ sm: ROOM_FOR_BUTTONS }}
            data-expired={isExpired || undefined}
          >
            {/* In the converter no other heading stands between it and the page's. */}
            <Title
              as={isInList ? "h3" : "h2"}
              dir="auto"
              title={job.title}
              lineClamp={isInList || isExpired ? 1 : { base: 2, sm: 1 }}
            >
              {job.title}
            </Title>
            {job.status === "completed" && isExpired && (
              <AgainBelowTitle>
                <WaysOutPlace job={job} />
              </AgainBelowTitle>
            )}
          </Flex>
          {/* As high as a progress bar with its line in every state, so that the title does not move. */}
          <Box minH={{ base: isInList ? "0" : "3.75rem", sm: "2.625rem" }} data-details="">
            <JobDetails job={job} isExpired={isExpired} receiptSwitch={{ isOpen, onPress: () => setIsOpen(!isOpen) }} />
          </Box>
        </Box>
        {Note && <Note job={job} />}
        <Suspense>
          <PlayerPlace job={job} />
        </Suspense>
        <JobButtons job={job} isExpired={isExpired} hasJustFinished={hasJustFinished} place={place} />
      </Content>
      {isOpen && job.status === "completed" && job.receipt && (
        <Suspense>
          <JobReceipt receipt={job.receipt} />
        </Suspense>
      )}
    </>
  );
}
