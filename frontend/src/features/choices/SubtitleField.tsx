import { Box, Stack } from "@chakra-ui/react";
import { useId } from "react";
import { languageOfSubtitles, TranscriptKind, transcriptKindOf } from "../../../../common/choices.ts";
import type { ConversionChoices } from "../../../../common/choices.ts";
import type { SubtitleOffer } from "../../../../common/preview-details.ts";
import { useChoices } from "../../client/stores.ts";
import { useConverter } from "../../client/converter.ts";
import { Input } from "../../components/Input.tsx";
import { NO_MESSAGE, useSentence } from "../../texts/store.ts";
import { useChoicesTexts } from "../../texts/choices/index.ts";
import { Section } from "./Section.tsx";
import { useLanguageNames } from "./use-language-names.ts";

export interface SubtitleFieldProps {
  readonly offers: readonly SubtitleOffer[];
  /** The site has subtitles that it did not give. */
  readonly isWithheld?: boolean | undefined;
  /** Said below the languages. */
  readonly remark?: string;
}

/** @returns why none can be chosen: the video has none, or the chosen format takes none; null when some can */
export function useNoSubtitlesReason({ offers, isWithheld = false }: SubtitleFieldProps): string | null {
  const format = useConverter((state) => state.format);
  const texts = useChoicesTexts().subtitles;
  const name = "subtitles_not_given";
  const notGiven = useSentence({ code: "site_blocked", message: NO_MESSAGE, reason: { name } });
  if (offers.length === 0) return isWithheld ? notGiven : texts.noneThere;
  return format === "transcript" || format === "mp4" ? null : texts.onlyMp4;
}

/**
 * The subtitles that an MP4 gets or a transcript is made of. Says so where the video has none, and where the chosen
 * format takes none.
 */
export function SubtitleField(props: SubtitleFieldProps) {
  const { offers, remark } = props;
  const chosen = useChoices((state) => state.choices?.subtitles);
  const choose = useChoices((state) => state.choose);
  const isTranscript = useConverter((state) => state.format === "transcript");
  const texts = useChoicesTexts().subtitles;
  const nameOf = useLanguageNames();
  const reason = useNoSubtitlesReason(props);
  const isForFormat = reason === null;
  const shown = reason ?? remark;
  const remarkId = useId();
  const named = offers
    .map((offer) => ({
      ...offer,
      name: [nameOf(languageOfSubtitles(offer.language)), offer.trackName].filter(Boolean).join(" – "),
    }))
    .toSorted((a, b) => Number(a.isAutomatic) - Number(b.isAutomatic) || a.name.localeCompare(b.name));

  function change(changed: NonNullable<ConversionChoices["subtitles"]>): void {
    const { language, as } = { ...chosen, ...changed };
    choose({ subtitles: language === undefined && as === undefined ? undefined : { language, as } });
  }

  return (
    <Section title={texts.title}>
      {offers.length > 0 && (
        <Stack gap="2">
          <Input
            as="select"
            aria-label={texts.title}
            aria-describedby={shown === undefined ? undefined : remarkId}
            disabled={!isForFormat}
            value={(isForFormat && chosen?.language) || ""}
            onChange={({ currentTarget: { value } }) => change({ language: value === "" ? undefined : value })}
          >
            <option value="">{isTranscript ? texts.own : texts.none}</option>
            {named.map(({ language, isAutomatic, name }) => (
              <option key={language} value={language}>
                {isAutomatic ? texts.automatic(name) : name}
              </option>
            ))}
          </Input>
          {isTranscript && (
            <Input
              as="select"
              aria-label={texts.kind}
              value={transcriptKindOf({ subtitles: chosen })}
              onChange={({ currentTarget: { value } }) => change({ as: TranscriptKind.parse(value) })}
            >
              {TranscriptKind.options.map((kind) => (
                <option key={kind} value={kind}>
                  {texts.kinds[kind]}
                </option>
              ))}
            </Input>
          )}
        </Stack>
      )}
      {shown !== undefined && (
        <Box id={remarkId} textStyle="meta" mt="1">
          {shown}
        </Box>
      )}
    </Section>
  );
}
