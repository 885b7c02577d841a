import { Box, Button, Flex, Stack, chakra } from "@chakra-ui/react";
import { estimateOf } from "../../../../common/api.ts";
import type { Preview } from "../../../../common/api.ts";
import { Format, tierConvertsTo } from "../../../../common/tiers.ts";
import { useConverter } from "../../client/converter.ts";
import { useDevice } from "../../client/stores.ts";
import { Link } from "../../components/Link.tsx";
import { OFFERED_FORMATS } from "../../stores/offered-formats.ts";
import { useChoicesTexts } from "../../texts/choices/index.ts";
import { sentenceOf, useFormats, useTexts } from "../../texts/store.ts";
import { Choice } from "./Choice.tsx";
import { Section } from "./Section.tsx";

/** Formats that are not offered beside the link. */
const MORE_FORMATS = Format.exclude(OFFERED_FORMATS).options;
type MoreFormat = (typeof MORE_FORMATS)[number];

/** The formats beside MP3 and MP4. One group of radio buttons with those: all have the name "format". */
export function FormatFields({ preview }: { readonly preview: Preview | null }) {
  const tier = useDevice((state) => state.tier);
  const texts = useChoicesTexts().formats;
  const { upgrade } = useTexts().nav;
  const isAnyForPro = MORE_FORMATS.some((format) => !tierConvertsTo(tier, format));
  return (
    <Section
      title={texts.title}
      action={
        isAnyForPro && (
          <Button variant="ghost" size="sm" asChild>
            <Link to="/plans">{upgrade}</Link>
          </Button>
        )
      }
    >
      <Stack gap="1">
        {MORE_FORMATS.map((format) => (
          <FormatChoice key={format} format={format} preview={preview} isAllowed={tierConvertsTo(tier, format)} />
        ))}
      </Stack>
    </Section>
  );
}

interface FormatChoiceProps {
  readonly format: MoreFormat;
  /** Null for several videos. */
  readonly preview: Preview | null;
  readonly isAllowed: boolean;
}

function FormatChoice({ format, preview, isAllowed }: FormatChoiceProps) {
  const chosen = useConverter((state) => state.format);
  const setFormat = useConverter((state) => state.setFormat);
  const texts = useChoicesTexts().formats;
  const formats = useFormats();
  const { about } = useTexts().converter.preview;
  const estimate = preview ? estimateOf(preview, format) : undefined;
  const problem = isAllowed && estimate?.error ? sentenceOf(estimate.error) : null;
  return (
    <Choice data-format={format}>
      <input
        type="radio"
        name="format"
        value={format}
        checked={format === chosen}
        disabled={!isAllowed}
        onChange={() => setFormat(format)}
      />
      <Box minW="0">
        <Flex wrap="wrap" columnGap="2" fontWeight={600} color={isAllowed ? undefined : "fg.muted"}>
          <span>{texts.names[format]}</span>
          {!isAllowed && <span>{texts.forPro}</span>}
          {isAllowed && estimate?.fits && estimate.sizeBytes !== null && (
            <chakra.span fontWeight={400} color="fg.muted">
              {about(formats.fileSize(estimate.sizeBytes))}
            </chakra.span>
          )}
        </Flex>
        <Box textStyle="meta" color={problem === null ? undefined : "bad"}>
          {problem ?? texts.purposes[format]}
        </Box>
      </Box>
    </Choice>
  );
}
