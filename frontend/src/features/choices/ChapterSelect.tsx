import { Box, chakra } from "@chakra-ui/react";
import { useId } from "react";
import { SHORTEST_PART_SECONDS } from "../../../../common/choices.ts";
import type { Part } from "../../../../common/choices.ts";
import type { ChapterMark } from "../../../../common/preview-details.ts";
import { Input } from "../../components/Input.tsx";
import { useChoicesTexts } from "../../texts/choices/index.ts";
import { useFormats } from "../../texts/store.ts";

/** @returns the chapters as parts; each ends where the next one begins, the last one with the video */
function partsOf(chapters: readonly ChapterMark[], durationSeconds: number): (Part & { readonly title: string })[] {
  return chapters
    .map(({ title, startSeconds }, index) => ({
      title,
      startSeconds,
      endSeconds: Math.min(durationSeconds, chapters[index + 1]?.startSeconds ?? durationSeconds),
    }))
    .filter(({ startSeconds, endSeconds }) => endSeconds - startSeconds >= SHORTEST_PART_SECONDS);
}

export interface ChapterSelectProps {
  readonly chapters: readonly ChapterMark[];
  readonly durationSeconds: number;
  readonly part: Part;
  readonly onChange: (part: Part) => void;
}

/** Takes a chapter as the part. */
export function ChapterSelect({ chapters, durationSeconds, part, onChange }: ChapterSelectProps) {
  const id = useId();
  const texts = useChoicesTexts().part;
  const formats = useFormats();
  const parts = partsOf(chapters, durationSeconds);
  const chosen = parts.findIndex(
    ({ startSeconds, endSeconds }) => startSeconds === part.startSeconds && endSeconds === part.endSeconds,
  );
  return (
    <Box mt="1">
      <chakra.label htmlFor={id} display="block" fontSize="sm" fontWeight={600} mb="1">
        {texts.chapter}
      </chakra.label>
      <Input
        as="select"
        id={id}
        value={chosen === -1 ? "" : String(chosen)}
        onChange={({ currentTarget: { value } }) => {
          const wanted = parts[Number(value)];
          if (value !== "" && wanted) onChange({ startSeconds: wanted.startSeconds, endSeconds: wanted.endSeconds });
        }}
      >
        <option value="">{texts.noChapter}</option>
        {parts.map(({ title, startSeconds }, index) => (
          <option key={startSeconds} value={index}>
            {`${formats.latin(formats.clock(startSeconds))} ${title}`}
          </option>
        ))}
      </Input>
    </Box>
  );
}
