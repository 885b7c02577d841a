import { Box, Button, Flex } from "@chakra-ui/react";
import { useId } from "react";
import { TIERS } from "../../../../common/tiers.ts";
import { useChoices, useDevice } from "../../client/stores.ts";
import { Link } from "../../components/Link.tsx";
import { useChoicesTexts } from "../../texts/choices/index.ts";
import { useTexts } from "../../texts/store.ts";
import { Choice } from "./Choice.tsx";
import { Section } from "./Section.tsx";

/** One file for each chapter, instead of a part. Only Pro has it; others see that. */
export function ChapterFilesField() {
  const isAllowed = useDevice((state) => TIERS[state.tier].hasChapterFiles);
  const isChosen = useChoices((state) => state.choices?.chapterFiles === true);
  const isCut = useChoices((state) => state.choices?.sponsored === "cut");
  const choose = useChoices((state) => state.choose);
  const { chapterFiles: texts, formats } = useChoicesTexts();
  const { upgrade } = useTexts().nav;
  const remarkId = useId();
  return (
    <Section
      title={texts.title}
      action={
        !isAllowed && (
          <Button variant="ghost" size="sm" asChild>
            <Link to="/plans">{upgrade}</Link>
          </Button>
        )
      }
    >
      <Choice data-chapter-files="">
        <input
          type="checkbox"
          checked={isAllowed && isChosen}
          disabled={!isAllowed}
          aria-describedby={remarkId}
          onChange={({ target: { checked } }) => {
            choose({ chapterFiles: checked ? true : undefined });
            // Neither a part nor what is left of a video has files for its chapters.
            if (checked) choose({ part: undefined });
            if (checked && isCut) choose({ sponsored: undefined });
          }}
        />
        <Box minW="0">
          <Flex wrap="wrap" columnGap="2" fontWeight={600} color={isAllowed ? undefined : "fg.muted"}>
            <span>{texts.one}</span>
            {!isAllowed && <span>{formats.forPro}</span>}
          </Flex>
          <Box id={remarkId} textStyle="meta">
            {texts.purpose}
          </Box>
        </Box>
      </Choice>
    </Section>
  );
}
