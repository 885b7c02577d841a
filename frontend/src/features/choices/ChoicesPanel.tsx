import { Stack } from "@chakra-ui/react";
import { useEffect, useMemo, useRef } from "react";
import type { Preview } from "../../../../common/api.ts";
import { detailsOf, tagsOf } from "../../../../common/preview-details.ts";
import { readLinks } from "../../../../common/links/read-links.ts";
import { useChoices } from "../../client/stores.ts";
import { useConverter } from "../../client/converter.ts";
import { useChoicesTexts } from "../../texts/choices/index.ts";
import { UNTOUCHED_AT_FIRST } from "../../theme/untouched.ts";
import { ChapterFilesField } from "./ChapterFilesField.tsx";
import { PartFields } from "./PartFields.tsx";
import { CHOICES_ID } from "./ChoicesButton.tsx";
import { FormatFields } from "./FormatFields.tsx";
import { ManyChoices } from "./ManyChoices.tsx";
import { SoundField } from "./SoundField.tsx";
import { SponsoredField } from "./SponsoredField.tsx";
import { SubtitleField } from "./SubtitleField.tsx";
import { TagFields } from "./TagFields.tsx";

/**
 * What may be chosen beside MP3 and MP4.
 * @param preview null for several videos
 */
export default function ChoicesPanel({ preview }: { readonly preview: Preview | null }) {
  const texts = useChoicesTexts();
  const panel = useRef<HTMLDivElement>(null);
  // On a phone the button that opens it stands at the lower edge of the window.
  useEffect(() => {
    panel.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <Stack
      ref={panel}
      id={CHOICES_ID}
      role="group"
      aria-label={preview ? texts.name : texts.button}
      gap="2"
      mt="3"
      px={{ base: "3", sm: "4" }}
      pb="4"
      pt="1"
      bg="bg.sunken"
      borderRadius="lg"
      scrollMarginBottom="7rem"
      css={UNTOUCHED_AT_FIRST}
    >
      {preview ? <VideoChoices preview={preview} /> : <ManyChoices />}
    </Stack>
  );
}

function VideoChoices({ preview }: { readonly preview: Preview }) {
  const { clip, chapters, soundLanguages, sponsored, subtitles, withholdsSubtitles } = useMemo(
    () => detailsOf(preview),
    [preview],
  );
  const durationSeconds = clip?.videoSeconds ?? preview.durationSeconds;
  const tags = useMemo(() => tagsOf(preview), [preview]);
  const link = useConverter((state) => state.link);
  const isTranscript = useConverter((state) => state.format === "transcript");
  const takeStart = useChoices((state) => state.takeStart);
  useEffect(() => {
    const [first] = readLinks(link, () => true).links;
    if (durationSeconds !== null) takeStart(first?.startSeconds, durationSeconds);
  }, [takeStart, link, durationSeconds]);
  return (
    <>
      {durationSeconds !== null && (
        <PartFields durationSeconds={durationSeconds} chapters={chapters} clip={clip?.part} />
      )}
      {chapters.length > 1 && !isTranscript && <ChapterFilesField />}
      {sponsored && !isTranscript && <SponsoredField found={sponsored} />}
      <FormatFields preview={preview} />
      {soundLanguages.length > 1 && <SoundField languages={soundLanguages} />}
      {preview.details !== undefined && <SubtitleField offers={subtitles} isWithheld={withholdsSubtitles} />}
      {tags && <TagFields found={tags} />}
    </>
  );
}
