import { Box, Button, SimpleGrid, chakra } from "@chakra-ui/react";
import { useId, useState } from "react";
import type { FoundTags } from "../../../../common/api.ts";
import { MAX_TAG_LENGTH } from "../../../../common/choices.ts";
import type { ChosenTags } from "../../../../common/choices.ts";
import { useChoices } from "../../client/client.ts";
import { Input } from "../../components/Input.tsx";
import { useChoicesTexts } from "../../texts/choices/index.ts";
import { Section } from "./Section.tsx";

const NONE: ChosenTags = {};

const TAGS = ["title", "artist", "album"] as const;
type Tag = (typeof TAGS)[number];

/** @returns the changed tags; one that is as the site has it is not changed, and neither is a title without text */
function changed(chosen: ChosenTags, tag: Tag, text: string, found: FoundTags): ChosenTags {
  const isAsFound = text.trim() === (found[tag] ?? "");
  return { ...chosen, [tag]: isAsFound || (tag === "title" && text.trim() === "") ? undefined : text };
}

/** The tags of the file, which the visitor may change. */
export function TagFields({ found }: { readonly found: FoundTags }) {
  const tags = useChoices((state) => state.choices?.tags ?? NONE);
  const choose = useChoices((state) => state.choose);
  const texts = useChoicesTexts().tags;
  const labels: Readonly<Record<Tag, string>> = { title: texts.song, artist: texts.artist, album: texts.album };
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
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

function TagField({ label, value, onChange }: TagFieldProps) {
  const id = useId();
  // Kept while the field is in use: an empty title is not taken, but must not be filled in under the visitor's hands.
  const [text, setText] = useState<string | null>(null);
  return (
    <Box minW="0">
      <chakra.label htmlFor={id} display="block" fontSize="sm" fontWeight={600} mb="1">
        {label}
      </chakra.label>
      <Input
        id={id}
        dir="auto"
        value={text ?? value}
        maxLength={MAX_TAG_LENGTH}
        autoComplete="off"
        enterKeyHint="done"
        onChange={({ target }) => {
          setText(target.value);
          onChange(target.value);
        }}
        onBlur={() => setText(null)}
      />
    </Box>
  );
}
