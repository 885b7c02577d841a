import { Box, Button, Flex, chakra } from "@chakra-ui/react";
import { useId, useState } from "react";
import { SHORTEST_PART_SECONDS } from "../../../../common/choices.ts";
import type { Part } from "../../../../common/choices.ts";
import type { ChapterMark } from "../../../../common/preview-details.ts";
import { formatTime, parseTime } from "../../../../common/times.ts";
import { useChoices } from "../../client/stores.ts";
import { Input } from "../../components/Input.tsx";
import { useChoicesTexts } from "../../texts/choices/index.ts";
import type { ChoicesTexts } from "../../texts/choices/en.ts";
import { useFormats } from "../../texts/store.ts";
import { ChapterSelect } from "./ChapterSelect.tsx";
import { Section } from "./Section.tsx";
import { TimeLine } from "./TimeLine.tsx";

/** Whether a part is the whole video. */
function isWhole(part: Part, durationSeconds: number): boolean {
  return part.startSeconds <= 0 && part.endSeconds >= durationSeconds;
}

type Problem = keyof ChoicesTexts["part"]["problems"];

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
  const formats = useFormats();
  const [problem, setProblem] = useState<Problem | null>(null);
  const problemId = useId();
  const whole = { startSeconds: 0, endSeconds: durationSeconds };
  const part = chosen ?? (hasChapterFiles ? whole : (clip ?? whole));
  const hasPart = !isWhole(part, durationSeconds);

  function change(next: Part): void {
    setProblem(null);
    // Without a choice, the link of a clip is converted as that clip.
    const unchosen = clip ? whole : undefined;
    // A part has no files of its own for chapters.
    choose({ part: isWhole(next, durationSeconds) ? unchosen : next, chapterFiles: undefined });
  }

  /** @returns whether the text was taken */
  function read(text: string, side: keyof Part): boolean {
    const seconds = parseTime(text);
    const next = { ...part, [side]: seconds ?? 0 };
    if (seconds === undefined) setProblem("time");
    else if (seconds > durationSeconds) setProblem("beyond");
    else if (next.endSeconds - next.startSeconds < SHORTEST_PART_SECONDS) setProblem("order");
    else {
      change(next);
      return true;
    }
    return false;
  }

  const field = { describedBy: problemId, onRead: read };
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
      <Flex gap="3" align="end">
        <TimeField {...field} side="startSeconds" label={texts.start} seconds={part.startSeconds} />
        <TimeField {...field} side="endSeconds" label={texts.end} seconds={part.endSeconds} />
        <Box textStyle="meta" pb="3" flex="1" textAlign="end" data-chosen-length="">
          {hasPart && texts.chosen(formats.clock(part.endSeconds - part.startSeconds))}
        </Box>
      </Flex>
      {/* Heard at once, because the visitor has just typed it. */}
      <Box id={problemId} role="alert" minH="6" pt="1" fontSize="sm" fontWeight={600} color="bad">
        {problem === "beyond"
          ? texts.problems.beyond(formats.clock(durationSeconds))
          : problem && texts.problems[problem]}
      </Box>
      {chapters.length > 1 && (
        <ChapterSelect chapters={chapters} durationSeconds={durationSeconds} part={part} onChange={change} />
      )}
    </Section>
  );
}

interface TimeFieldProps {
  readonly side: keyof Part;
  readonly label: string;
  readonly seconds: number;
  readonly describedBy: string;
  readonly onRead: (text: string, side: keyof Part) => boolean;
}

/** A field for a time such as 1:02:03. A text that is no time stays, with what is wrong below the fields. */
function TimeField({ side, label, seconds, describedBy, onRead }: TimeFieldProps) {
  const id = useId();
  const [text, setText] = useState<string | null>(null);
  const [isWrong, setWrong] = useState(false);

  function take(): void {
    if (text === null) return;
    const isTaken = onRead(text, side);
    setWrong(!isTaken);
    if (isTaken) setText(null);
  }

  return (
    <Box w="7rem" minW="0">
      <chakra.label htmlFor={id} display="block" fontSize="sm" fontWeight={600} mb="1">
        {label}
      </chakra.label>
      <Input
        id={id}
        // Times are read from left to right in every language.
        dir="ltr"
        inputMode="text"
        autoComplete="off"
        enterKeyHint="done"
        aria-invalid={isWrong}
        aria-describedby={describedBy}
        value={text ?? formatTime(seconds)}
        onChange={({ target }) => setText(target.value)}
        onBlur={take}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          // Enter takes the time; it would send the form with the time before it.
          event.preventDefault();
          take();
        }}
      />
    </Box>
  );
}
