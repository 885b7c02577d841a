import { Flex, chakra } from "@chakra-ui/react";
import { Link } from "react-router";
import { isLiftedByOtherChoices, isLiftedByPart, isLiftedByPro, otherFormatFor } from "../../../../common/remedies.ts";
import type { Job } from "../../../../common/job.ts";
import { chooseAgain, convertLink } from "../../client/converter.ts";
import { ownLinks, useDevice } from "../../client/stores.ts";
import { SectionLink } from "../../components/layout/SectionLink.tsx";
import { useFormats, useTexts } from "../../texts/store.ts";

/** Looks like a link in the line, but is 44 px high for fingers: the height above and below it is taken back. */
const Way = chakra("span", {
  base: {
    display: "inline-flex",
    alignItems: "center",
    minH: "11",
    my: "-3",
    borderRadius: "sm",
    fontWeight: 600,
    color: "accent.text",
    textDecoration: "underline",
    textUnderlineOffset: "3px",
    cursor: "pointer",
  },
});

/**
 * What helps after a conversion has failed at a limit, or for want of something that the video does not have: a part of
 * the video, other choices, a higher plan, or another format.
 */
export function WaysOut({ job }: { job: Extract<Job, { status: "failed" }> }) {
  const tier = useDevice((state) => state.tier);
  const texts = useTexts();
  const { takePart, takePartOf, chooseAgain: again, chooseAgainOf } = texts.waysOut;
  const formats = useFormats();
  const link = ownLinks.of(job.id);
  const isLifted = tier === "free" && isLiftedByPro(job);
  const format = link === undefined ? null : otherFormatFor(job, tier);
  const canTakePart = link !== undefined && isLiftedByPart(job.error, job.durationSeconds);
  const canChooseAgain = link !== undefined && isLiftedByOtherChoices(job);
  if (!isLifted && format === null && !canTakePart && !canChooseAgain) return null;
  return (
    <Flex as="span" wrap="wrap" columnGap="4">
      {link !== undefined && format !== null && (
        <Way asChild>
          <button
            type="button"
            aria-label={texts.waysOut.asFormatOf(job.title, format.toUpperCase())}
            onClick={() => void convertLink(link, format)}
          >
            {texts.waysOut.asFormat(formats.latin(format.toUpperCase()))}
          </button>
        </Way>
      )}
      {(canTakePart || canChooseAgain) && (
        <Way asChild>
          <SectionLink
            anchor="#converter"
            aria-label={(canTakePart ? takePartOf : chooseAgainOf)(job.title)}
            onClick={() => chooseAgain(link, job.format)}
          >
            {canTakePart ? takePart : again}
          </SectionLink>
        </Way>
      )}
      {isLifted && (
        <Way asChild>
          <Link to="/plans">{texts.nav.upgrade}</Link>
        </Way>
      )}
    </Flex>
  );
}
