import { Box, Button, SimpleGrid, chakra } from "@chakra-ui/react";
import { useId, useState } from "react";
import { ChosenTags, MAX_DESCRIPTION_LENGTH, MAX_TAG_LENGTH } from "../../../../common/choices.ts";
import type { FoundTags } from "../../../../common/preview-details.ts";
import { useChoices } from "../../client/stores.ts";
import { Input } from "../../components/Input.tsx";
import { useChoicesTexts } from "../../texts/choices/index.ts";
import { Section } from "./Section.tsx";

const NONE: ChosenTags = {};

const TAGS = ["title", "artist", "album", "date", "description"] as const;
type Tag = (typeof TAGS)[number];

/** Whether a tag may have this text: a title is never empty, and a date has its form. */
function isTaken(tag: Tag, text: string): boolean {
  return ChosenTags.shape[tag].safeParse(text).success;
}

/** @returns the changed tags; one that is as the site has it is not changed, and neither is one with a wrong text */
function changed(chosen: ChosenTags, tag: Tag, text: string, found: FoundTags): ChosenTags {
  const isAsFound = text.trim() === (found[tag] ?? "");
  return { ...chosen, [tag]: isAsFound || !isTaken(tag, text.trim()) ? undefined : text };
}

/** The tags of the file, which the visitor may change. */
export function TagFields({ found }: { readonly found: FoundTags }) {
  const tags = useChoices((state) => state.choices?.tags ?? NONE);
  const choose = useChoices((state) => state.choose);
  const texts = useChoicesTexts().tags;
  const { song, artist, album, date, description } = texts;
  const labels: Readonly<Record<Tag, string>> = { title: song, artist, album, date, description };
  const isChanged = TAGS.some((tag) => tags[tag] !== undefined);
  return (
    <Section
      title={texts.title}
      action={
        isChanged && (
          <Button variant="ghost" size="sm" onClick={() => choose({ tags: undefined })}>
            {texts.asFound}
          </Button>
        )
      }
    >
      <SimpleGrid columns={{ base: 1, sm: 3 }} gap="3">
        {TAGS.map((tag) => (
          <TagField
            key={tag}
            tag={tag}
            label={labels[tag]}
            value={tags[tag] ?? found[tag] ?? ""}
            onChange={(text) => choose({ tags: changed(tags, tag, text, found) })}
          />
        ))}
      </SimpleGrid>
    </Section>
  );
}

interface TagFieldProps {
  readonly tag: Tag;
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

function TagField({ tag, label, value, onChange }: TagFieldProps) {
  const id = useId();
  const { dateExample } = useChoicesTexts().tags;
  // Kept while the field is in use: an empty title is not taken, but must not be filled in under the visitor's hands.
  const [text, setText] = useState<string | null>(null);
  const isDescription = tag === "description";
  const about = isDescription
    ? ({ as: "textarea", maxLength: MAX_DESCRIPTION_LENGTH, minH: "12", rows: 2 } as const)
    : { maxLength: MAX_TAG_LENGTH, enterKeyHint: "done" as const };
  return (
    <Box minW="0" gridColumn={isDescription ? { sm: "span 2" } : undefined}>
      <chakra.label htmlFor={id} display="block" fontSize="sm" fontWeight={600} mb="1">
        {label}
      </chakra.label>
      <Input
        {...about}
        id={id}
        dir="auto"
        value={text ?? value}
        autoComplete="off"
        placeholder={tag === "date" ? dateExample : undefined}
        aria-invalid={text !== null && !isTaken(tag, text.trim())}
        onChange={({ target }) => {
          setText(target.value);
          onChange(target.value);
        }}
        onBlur={() => setText(null)}
      />
    </Box>
  );
}
