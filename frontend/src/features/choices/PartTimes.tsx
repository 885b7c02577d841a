import { Box, Flex, chakra } from "@chakra-ui/react";
import { useId, useState } from "react";
import { SHORTEST_PART_SECONDS } from "../../../../common/choices.ts";
import type { Part } from "../../../../common/choices.ts";
import { formatTime, parseTime } from "../../../../common/times.ts";
import { Input } from "../../components/Input.tsx";
import { useChoicesTexts } from "../../texts/choices/index.ts";
import type { ChoicesTexts } from "../../texts/choices/en.ts";
import { useFormats } from "../../texts/store.ts";

type Problem = keyof ChoicesTexts["part"]["problems"];

export interface PartTimesProps {
  readonly part: Part;
  /** What the part is of. */
  readonly whole: Part;
  readonly showsLength: boolean;
  readonly onChange: (part: Part) => void;
}

/** Fields for the times of a part, with its length. */
export function PartTimes({ part, whole, showsLength, onChange }: PartTimesProps) {
  const texts = useChoicesTexts().part;
  const formats = useFormats();
  const [problem, setProblem] = useState<{ readonly is: Problem; readonly of: string } | null>(null);
  const problemId = useId();
  // A part that was chosen otherwise since has no problem.
  const key = `${part.startSeconds} ${part.endSeconds}`;

  /** @returns whether the text was taken */
  function read(text: string, side: keyof Part): boolean {
    const seconds = parseTime(text);
    const next = { ...part, [side]: Math.max(seconds ?? 0, whole.startSeconds) };
    const report = (is: Problem): void => setProblem({ is, of: key });
    if (seconds === undefined) report("time");
    else if (seconds > whole.endSeconds) report("beyond");
    else if (next.endSeconds - next.startSeconds < SHORTEST_PART_SECONDS) report("order");
    else {
      setProblem(null);
      onChange(next);
      return true;
    }
    return false;
  }

  const field = { describedBy: problemId, onRead: read };
  const shown = problem?.of === key ? problem.is : null;
  return (
    <>
      <Flex gap="3" align="end">
        <TimeField {...field} side="startSeconds" label={texts.start} seconds={part.startSeconds} />
        <TimeField {...field} side="endSeconds" label={texts.end} seconds={part.endSeconds} />
        <Box textStyle="meta" pb="3" flex="1" textAlign="end" data-chosen-length="">
          {showsLength && texts.chosen(formats.clock(part.endSeconds - part.startSeconds))}
        </Box>
      </Flex>
      {/* Heard at once, because the visitor has just typed it. */}
      <Box id={problemId} role="alert" minH="6" pt="1" fontSize="sm" fontWeight={600} color="bad">
        {shown === "beyond" ? texts.problems.beyond(formats.clock(whole.endSeconds)) : shown && texts.problems[shown]}
      </Box>
    </>
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
