import { Box, Flex, chakra } from "@chakra-ui/react";
import { useId, useState } from "react";
import type { Part } from "../../../../common/choices.ts";
import { formatTime } from "../../../../common/times.ts";
import { Input } from "../../components/Input.tsx";
import { useChoicesTexts } from "../../texts/choices/index.ts";
import { useFormats } from "../../texts/store.ts";
import { readTyped, type TypedProblem, type TypedTimes } from "./typed-part.ts";

export interface PartTimesProps {
  readonly part: Part;
  /** What the part is of. */
  readonly whole: Part;
  readonly showsLength: boolean;
  readonly onChange: (part: Part) => void;
}

interface Typed {
  /** Of the part that was shown meanwhile. */
  readonly of: string;
  readonly times: TypedTimes;
  readonly problem: TypedProblem | null;
}

/** Fields for the times of a part, with its length. */
export function PartTimes({ part, whole, showsLength, onChange }: PartTimesProps) {
  const texts = useChoicesTexts().part;
  const formats = useFormats();
  const problemId = useId();
  const nothing: Typed = { of: `${part.startSeconds} ${part.endSeconds}`, times: {}, problem: null };
  const [{ of, times, problem }, setTyped] = useState(nothing);
  // A part that was chosen otherwise since is the one that counts.
  if (of !== nothing.of) setTyped(nothing);

  function take(): void {
    if (Object.keys(times).length === 0) return;
    const read = readTyped(times, part, whole);
    if ("is" in read) return setTyped({ of, times, problem: read });
    setTyped(nothing);
    onChange(read);
  }

  const fieldOf = (side: keyof Part) => ({
    describedBy: problemId,
    text: times[side] ?? formatTime(part[side]),
    isWrong: problem?.sides.includes(side) ?? false,
    onType: (text: string) => setTyped({ of, times: { ...times, [side]: text }, problem }),
    onTake: take,
  });
  return (
    <>
      <Flex gap="3" align="end">
        <TimeField {...fieldOf("startSeconds")} label={texts.start} />
        <TimeField {...fieldOf("endSeconds")} label={texts.end} />
        <Box textStyle="meta" pb="3" flex="1" textAlign="end" data-chosen-length="">
          {showsLength && texts.chosen(formats.clock(part.endSeconds - part.startSeconds))}
        </Box>
      </Flex>
      {/* Heard at once, because the visitor has just typed it. */}
      <Box id={problemId} role="alert" minH="6" pt="1" fontSize="sm" fontWeight={600} color="bad">
        {problem?.is === "beyond"
          ? texts.problems.beyond(formats.clock(whole.endSeconds))
          : problem && texts.problems[problem.is]}
      </Box>
    </>
  );
}

interface TimeFieldProps {
  readonly label: string;
  readonly text: string;
  readonly isWrong: boolean;
  readonly describedBy: string;
  readonly onType: (text: string) => void;
  readonly onTake: () => void;
}

/** A field for a time such as 1:02:03. A text that is no time stays, with what is wrong below the fields. */
function TimeField({ label, text, isWrong, describedBy, onType, onTake }: TimeFieldProps) {
  const id = useId();
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
        data-untaken={isWrong ? "" : undefined}
        value={text}
        onChange={({ target }) => onType(target.value)}
        onBlur={onTake}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          // Enter takes the time; it would send the form with the time before it.
          event.preventDefault();
          onTake();
        }}
      />
    </Box>
  );
}
