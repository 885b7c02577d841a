import { Box } from "@chakra-ui/react";
import { useId } from "react";
import { useChoices, useDevice } from "../../client/stores.ts";
import { useConverter } from "../../client/converter.ts";
import { Input } from "../../components/Input.tsx";
import { useChoicesTexts } from "../../texts/choices/index.ts";
import { ChoicesTabs } from "./ChoicesTabs.tsx";
import { FormatFields } from "./FormatFields.tsx";
import { Section } from "./Section.tsx";
import { SponsoredField } from "./SponsoredField.tsx";
import { SubtitleField, useNoSubtitlesReason } from "./SubtitleField.tsx";
import { useLanguageNames } from "./use-language-names.ts";

/** Languages that are offered before it is known which ones the videos have: those of most videos with dubs. */
const LANGUAGES =
  "ar bn cs da de el en es fa fi fr he hi hu id it ja ko nl no pl pt ro ru sv ta te th tr uk vi zh".split(" ");
const OFFERS = LANGUAGES.map((language) => ({ language, isAutomatic: false }));

/** What several videos can have in common: format, language, and what is done with sponsored segments. */
export function ManyChoices() {
  const isTranscript = useConverter((state) => state.format === "transcript");
  const looksUpSponsored = useDevice((state) => state.config?.looksUpSponsored ?? false);
  const { many } = useChoicesTexts();
  const subtitles = { offers: OFFERS, remark: many.language };
  const noSubtitles = useNoSubtitlesReason(subtitles);
  const canCut = looksUpSponsored && !isTranscript;
  const formats = (
    <>
      <FormatFields preview={null} />
      {!isTranscript && <SoundOfMany />}
    </>
  );
  const tabs = [
    { name: "cut", reason: canCut ? null : many.cut, fields: canCut ? <SponsoredField found={null} /> : null },
    { name: "format", reason: null, fields: formats },
    { name: "subtitles", reason: noSubtitles, fields: <SubtitleField {...subtitles} /> },
    { name: "tags", reason: many.tags, fields: null },
  ] as const;
  return <ChoicesTabs tabs={tabs} first="format" />;
}

function SoundOfMany() {
  const chosen = useChoices((state) => state.choices?.soundLanguage);
  const choose = useChoices((state) => state.choose);
  const { sound, many } = useChoicesTexts();
  const nameOf = useLanguageNames();
  const remarkId = useId();
  const named = LANGUAGES.map((code) => ({ code, name: nameOf(code) })).toSorted((a, b) =>
    a.name.localeCompare(b.name),
  );
  return (
    <Section title={sound.title}>
      <Input
        as="select"
        aria-label={sound.title}
        aria-describedby={remarkId}
        value={chosen ?? ""}
        onChange={({ currentTarget: { value } }) => choose({ soundLanguage: value || undefined })}
      >
        <option value="">{many.original}</option>
        {named.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </Input>
      <Box id={remarkId} textStyle="meta" mt="1">
        {many.language}
      </Box>
    </Section>
  );
}
