import { chakra } from "@chakra-ui/react";
import { isCatchingUp, resumesAtOf } from "../../../../common/job.ts";
import type { Job } from "../../../../common/job.ts";
import { useCurrentJob } from "../../client/stores.ts";
import { Pill } from "../../components/Card.tsx";
import { useListTexts } from "../../texts/lists/index.ts";
import { useFormats, useTexts } from "../../texts/store.ts";
import { DetailsLine } from "./DetailsLine.tsx";
import { useAtTime } from "./clock.ts";
import { useConnectionRemark } from "./use-remark.ts";

/** When a job goes on that waits for the video site or for a newer tool. */
function Resumes({ at, isCatchingUp }: { at: string; isCatchingUp: boolean }) {
  const { job: texts } = useTexts();
  const formats = useFormats();
  const words = isCatchingUp ? texts.catchingUp : texts.siteWait;
  const sentence = useAtTime((nowMs) =>
    Date.parse(at) - nowMs < 1_000 ? words.soon : words.later(formats.countdown(at, nowMs)),
  );
  return <chakra.time dateTime={at}>{sentence}</chakra.time>;
}

/** How many songs a tape waits for. */
function Songs({ songs, waitsFor }: { songs: number; waitsFor: number }) {
  const { row } = useListTexts();
  const formats = useFormats();
  return <span>{row.waitsForSongs(formats.number(waitsFor), formats.number(songs))}</span>;
}

/** The details of a job that waits for a worker, for the video site, or for its songs. */
export function WaitLine({ job }: { job: Job }) {
  const { job: texts, converter } = useTexts();
  const formats = useFormats();
  const resumesAt = resumesAtOf(job);
  const remark = useConnectionRemark();
  const isCurrent = useCurrentJob((state) => state.id === job.id);
  const { tape } = job;
  if (tape?.waitsFor !== undefined && remark === undefined)
    return (
      <DetailsLine>
        <Songs songs={tape.songs} waitsFor={tape.waitsFor} />
        <span>{formats.kind(job)}</span>
      </DetailsLine>
    );
  const hasJustStarted = isCurrent && job.attempt === 1 && remark === undefined;
  return (
    <DetailsLine>
      {resumesAt === undefined ? (
        <>
          <Pill>{texts.waiting}</Pill>
          {/* On phones the sentence would take a second line, and what is below would move. */}
          {hasJustStarted && <chakra.span hideBelow="sm">{converter.notices.started.description}</chakra.span>}
          <chakra.span hideFrom={hasJustStarted ? "sm" : undefined}>{remark ?? formats.kind(job)}</chakra.span>
          {job.attempt > 1 && <span>{texts.attempt(job.attempt)}</span>}
        </>
      ) : (
        // Alone, because the row has no room for more: it would grow, and move what is below.
        <Resumes at={resumesAt} isCatchingUp={isCatchingUp(job)} />
      )}
    </DetailsLine>
  );
}
