import { Box, Button, Flex } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import type { MouseEvent } from "react";
import type { Part } from "../../../../common/choices.ts";
import type { Job } from "../../../../common/job.ts";
import { toMilliseconds } from "../../../../common/times.ts";
import { cutApi } from "../../api/cut-api.ts";
import { isFailedCall, sentenceFor } from "../../api/errors.ts";
import { linkOf, links } from "../../client/job-links.ts";
import { addStarted } from "../../client/own-jobs.ts";
import { player, usePlayer } from "../../client/player.ts";
import { notify } from "../../client/toaster.ts";
import { CopyField } from "../../components/CopyField.tsx";
import { Sheet } from "../../components/Sheet.tsx";
import { canPlay } from "../../ready/player.ts";
import { useCutTexts } from "../../texts/cuts/index.ts";
import { currentTexts } from "../../texts/store.ts";
import { SM } from "../../theme/narrow.ts";
import { PartTimes } from "../choices/PartTimes.tsx";
import { useIsExpired } from "../queue/JobDetails.tsx";
import { useWaveform } from "./use-waveform.ts";
import { Waveform } from "./Waveform.tsx";

/** Of each seam: enough to hear whether a word is cut. */
const SEAM_SECONDS = 3;

/** What the file is of its video, by the times of the video. */
function wholeOf({ choices, durationSeconds = 0 }: Job): Part {
  const startSeconds = choices?.part?.startSeconds ?? 0;
  return { startSeconds, endSeconds: toMilliseconds(startSeconds + durationSeconds) };
}

/** @returns the address that opens the same part of the video for others */
function addressOf(link: string, { startSeconds, endSeconds }: Part, { format }: Job): string {
  const query = { url: link, from: String(startSeconds), to: String(endSeconds), format };
  return `${window.location.origin}/?${String(new URLSearchParams(query))}`;
}

interface SeamButtonsProps {
  readonly job: Job;
  readonly whole: Part;
  readonly part: Part;
}

/** Play what is heard at each seam: its moments are those of the file. */
function SeamButtons({ job, whole, part }: SeamButtonsProps) {
  const texts = useCutTexts();
  const from = part.startSeconds - whole.startSeconds;
  const to = part.endSeconds - whole.startSeconds;
  const seams = [
    { label: texts.playStart, from, to: Math.min(from + SEAM_SECONDS, to) },
    { label: texts.playEnd, from: Math.max(from, to - SEAM_SECONDS), to },
  ];
  return (
    <Flex gap="2">
      {seams.map((seam) => (
        <Button key={seam.label} variant="outline" flex="1" onClick={() => player.playPiece(job, seam.from, seam.to)}>
          {seam.label}
        </Button>
      ))}
    </Flex>
  );
}

export interface CutSheetProps {
  readonly job: Job;
  readonly onClose: () => void;
}

type Sending = { readonly is: "idle" | "sending" } | { readonly is: "refused"; readonly sentence: string };

/** Cuts a finished file anew, on its waveform, with both seams to be heard. */
export default function CutSheet({ job, onClose }: CutSheetProps) {
  const texts = useCutTexts();
  const [waveform, retry] = useWaveform(job.id);
  const whole = wholeOf(job);
  const [part, setPart] = useState(whole);
  const [sending, setSending] = useState<Sending>({ is: "idle" });
  const isGone = useIsExpired(job);
  const link = linkOf(job);
  const played = usePlayer(({ jobId, positionSeconds }) => (jobId === job.id ? positionSeconds : undefined));
  const isPlayable = !isGone && canPlay(job);
  const isWhole = part.startSeconds <= whole.startSeconds && part.endSeconds >= whole.endSeconds;

  useEffect(() => () => player.stop(), []);

  async function cut({ currentTarget }: MouseEvent): Promise<void> {
    // Closed as by its cross, which gives the focus back.
    const sheet = currentTarget.closest("dialog");
    // Its part would be another one than the field shows.
    const untaken = sheet?.querySelector<HTMLElement>("[data-untaken]");
    if (untaken) return untaken.focus();
    setSending({ is: "sending" });
    try {
      const made = await cutApi.create(job.id, part);
      if (link !== undefined) links.add(made.id, link);
      addStarted(made, link);
      sheet?.close();
      // On phones a toast would cover what the row says.
      if (window.matchMedia(`(min-width: ${SM})`).matches)
        notify({ kind: "success", ...currentTexts().converter.notices.started });
    } catch (error) {
      if (!isFailedCall(error)) throw error;
      setSending({ is: "refused", sentence: sentenceFor(error, texts.failed) });
    }
  }

  function change(next: Part): void {
    setPart(next);
    if (sending.is === "refused") setSending({ is: "idle" });
  }

  return (
    <Sheet title={texts.cutAgain} about={job.title} closeLabel={texts.close} onClose={onClose} isWide>
      <Waveform
        peaks={waveform.is === "there" ? waveform.peaks : undefined}
        whole={whole}
        part={part}
        playedSeconds={played === undefined ? undefined : whole.startSeconds + played}
        onChange={change}
      >
        {waveform.is === "loading" ? (
          <span role="status">{texts.loading}</span>
        ) : (
          <>
            <span role="alert">{texts.noWaveform}</span>
            <Button variant="ghost" size="sm" zIndex={2} onClick={retry}>
              {texts.again}
            </Button>
          </>
        )}
      </Waveform>
      {isPlayable && <SeamButtons job={job} whole={whole} part={part} />}
      <PartTimes part={part} whole={whole} showsLength={!isWhole} onChange={change} />
      {link !== undefined && (
        <CopyField
          value={addressOf(link, part, job)}
          label={texts.address}
          copyWord={texts.copyLink}
          copiedWord={texts.copied}
        />
      )}
      <Box role="alert" minH="6" fontSize="sm" fontWeight={600} color="bad">
        {isGone ? texts.gone : sending.is === "refused" && sending.sentence}
      </Box>
      <Button disabled={isGone || isWhole || sending.is === "sending"} onClick={(event) => void cut(event)}>
        {sending.is === "sending" ? texts.cutting : texts.cut}
      </Button>
    </Sheet>
  );
}
