import { Flex } from "@chakra-ui/react";
import type { MouseEvent } from "react";
import { isLiftedByOtherChoices, isLiftedByPart, isLiftedByPro, otherFormatFor } from "../../../../common/remedies.ts";
import type { Job } from "../../../../common/job.ts";
import type { Format, Tier } from "../../../../common/tiers.ts";
import { askForLink, chooseAgain, convertLink } from "../../client/converter.ts";
import { linkOf } from "../../client/job-links.ts";
import { useDevice } from "../../client/stores.ts";
import { Link } from "../../components/Link.tsx";
import { SectionLink } from "../../components/layout/SectionLink.tsx";
import { useFormats, useTexts } from "../../texts/store.ts";
import { NARROW } from "../../theme/narrow.ts";
import { UNTOUCHED_AT_FIRST } from "../../theme/untouched.ts";
import { Way } from "./Way.tsx";

/** The height of a way above and below its line is taken back. */
const WITHIN_LINE = { base: "-3.5", sm: "-3" };

export type StuckJob = Extract<Job, { status: "failed" | "completed" }>;

/** What helps: the file again, the job in another format, a part of the video or other choices, and Pro. */
function waysOutOf(job: StuckJob, tier: Tier) {
  if (job.status === "completed") return { again: job.isBlocked ? null : job.format };
  return {
    again: null,
    other: otherFormatFor(job, tier),
    part: isLiftedByPart(job.error, job.durationSeconds),
    choices: isLiftedByOtherChoices(job),
    pro: tier === "free" && isLiftedByPro(job),
  };
}

interface ConvertWayProps {
  readonly job: StuckJob;
  readonly format: Format;
  readonly label: string;
  readonly name: string;
}

/** The field takes the focus; following the link to its section would take it away again. */
const leadToField = (format: Format) => (event: MouseEvent) => {
  if (document.getElementById("converter")) event.preventDefault();
  askForLink(format);
};

/** Starts the job's link, or leads to the field for it: the link is unknown in other browsers than the job's own. */
function ConvertWay({ job, format, label, name }: ConvertWayProps) {
  const link = linkOf(job);
  // Other formats do not have the same choices.
  const choices = format === job.format ? job.choices : undefined;
  return (
    <Way asChild my={WITHIN_LINE}>
      {link === undefined ? (
        <SectionLink anchor="#converter" aria-label={name} onClick={leadToField(format)}>
          {label}
        </SectionLink>
      ) : (
        <button type="button" aria-label={name} onClick={() => void convertLink(link, format, choices)}>
          {label}
        </button>
      )}
    </Way>
  );
}

/** Converts the job's link to another format. */
function AsFormat({ job, format }: Pick<ConvertWayProps, "job" | "format">) {
  const texts = useTexts().waysOut;
  const name = format.toUpperCase();
  const label = texts.asFormat(useFormats().latin(name));
  return <ConvertWay job={job} format={format} label={label} name={texts.asFormatOf(job.title, name)} />;
}

/** The other of the two usual formats, for a job that has got its file. */
export function OtherFormat({ job }: { job: StuckJob }) {
  const isGone = job.status === "completed" && job.isBlocked;
  return !isGone && <AsFormat job={job} format={job.format === "mp4" ? "mp3" : "mp4"} />;
}

/** Puts the job's link into the field, with the choices open. */
function ChooseWay({ job, label, name }: Omit<ConvertWayProps, "format">) {
  const link = linkOf(job);
  return (
    <Way asChild my={WITHIN_LINE}>
      <SectionLink
        anchor="#converter"
        aria-label={name}
        onClick={link === undefined ? leadToField(job.format) : () => chooseAgain(link, job.format)}
      >
        {label}
      </SectionLink>
    </Way>
  );
}

/**
 * What helps after a conversion has failed at a limit, or for want of something that the video does not have, and after
 * its file has expired: the same wherever the job is shown.
 */
export default function WaysOut({ job }: { job: StuckJob }) {
  const tier = useDevice((state) => state.tier);
  const { waysOut: texts, nav } = useTexts();
  const { again, other, part, choices, pro } = waysOutOf(job, tier);
  if (!again && !other && !part && !choices && !pro) return null;
  return (
    // Large words take two lines, which are higher than what is left of their height.
    <Flex as="span" wrap="wrap" columnGap="4" css={{ [NARROW]: { pb: "3" }, "& > *": UNTOUCHED_AT_FIRST }}>
      {again && (
        <ConvertWay job={job} format={again} label={texts.convertAgain} name={texts.convertAgainOf(job.title)} />
      )}
      {other && <AsFormat job={job} format={other} />}
      {part && <ChooseWay job={job} label={texts.takePart} name={texts.takePartOf(job.title)} />}
      {choices && !part && <ChooseWay job={job} label={texts.chooseAgain} name={texts.chooseAgainOf(job.title)} />}
      {pro && (
        <Way asChild my={WITHIN_LINE}>
          <Link to="/plans">{nav.upgrade}</Link>
        </Way>
      )}
    </Flex>
  );
}
