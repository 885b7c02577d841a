import { Button } from "@chakra-ui/react";
import type { Part } from "../../../../common/choices.ts";
import type { ChapterMark } from "../../../../common/preview-details.ts";
import { useChoices } from "../../client/stores.ts";
import { useChoicesTexts } from "../../texts/choices/index.ts";
import { ChapterSelect } from "./ChapterSelect.tsx";
import { PartTimes } from "./PartTimes.tsx";
import { Section } from "./Section.tsx";
import { TimeLine } from "./TimeLine.tsx";

/** Whether a part is the whole video. */
function isWhole(part: Part, durationSeconds: number): boolean {
  return part.startSeconds <= 0 && part.endSeconds >= durationSeconds;
}

export interface PartFieldsProps {
  /** Of the whole video. */
  readonly durationSeconds: number;
  readonly chapters: readonly ChapterMark[];
  /** What the link is of. Undefined: the whole video. */
  readonly clip: Part | undefined;
}

/** The part of the video that is converted: a time line with two handles, and fields that take times. */
export function PartFields({ durationSeconds, chapters, clip }: PartFieldsProps) {
  const chosen = useChoices((state) => state.choices?.part);
  const hasChapterFiles = useChoices((state) => state.choices?.chapterFiles === true);
  const choose = useChoices((state) => state.choose);
  const texts = useChoicesTexts().part;
  const whole = { startSeconds: 0, endSeconds: durationSeconds };
  const part = chosen ?? (hasChapterFiles ? whole : (clip ?? whole));
  const hasPart = !isWhole(part, durationSeconds);

  function change(next: Part): void {
    // Without a choice, the link of a clip is converted as that clip.
    const unchosen = clip ? whole : undefined;
    // A part has no files of its own for chapters.
    choose({ part: isWhole(next, durationSeconds) ? unchosen : next, chapterFiles: undefined });
  }

  return (
    <Section
      title={texts.title}
      action={
        hasPart && (
          <Button variant="ghost" size="sm" onClick={() => change(whole)}>
            {texts.whole}
          </Button>
        )
      }
    >
      <TimeLine durationSeconds={durationSeconds} chapters={chapters} part={part} onChange={change} />
      <PartTimes part={part} whole={whole} showsLength={hasPart} onChange={change} />
      {chapters.length > 1 && (
        <ChapterSelect chapters={chapters} durationSeconds={durationSeconds} part={part} onChange={change} />
      )}
    </Section>
  );
}
