import { useEffect, useMemo } from "react";
import type { Preview } from "../../../../common/api.ts";
import { readLinks } from "../../../../common/links/read-links.ts";
import { detailsOf, tagsOf } from "../../../../common/preview-details.ts";
import { useConverter, usePreview } from "../../client/converter.ts";
import { choices, useChoices } from "../../client/stores.ts";
import { useChoicesTexts } from "../../texts/choices/index.ts";
import { ChapterFilesField } from "./ChapterFilesField.tsx";
import { ChoicesTabs } from "./ChoicesTabs.tsx";
import type { ChoicesTab } from "./ChoicesTabs.tsx";
import { FormatFields } from "./FormatFields.tsx";
import { PartFields } from "./PartFields.tsx";
import { SoundField } from "./SoundField.tsx";
import { SponsoredField } from "./SponsoredField.tsx";
import { SubtitleField, useNoSubtitlesReason } from "./SubtitleField.tsx";
import { TagFields } from "./TagFields.tsx";

/** What this video has to choose. A part is what is chosen most, and what "Take a part" opens. */
export function VideoChoices({ preview }: { readonly preview: Preview }) {
  const { clip, chapters, soundLanguages, sponsored, subtitles, withholdsSubtitles } = useMemo(
    () => detailsOf(preview),
    [preview],
  );
  const durationSeconds = clip?.videoSeconds ?? preview.durationSeconds;
  const tags = useMemo(() => tagsOf(preview), [preview]);
  const isTranscript = useConverter((state) => state.format === "transcript");
  const { noLength } = useChoicesTexts();
  const offered = { offers: subtitles, isWithheld: withholdsSubtitles };
  const noSubtitles = useNoSubtitlesReason(offered);
  const askForSubtitles = usePreview((state) => state.askForSubtitles);
  useEffect(() => {
    if (isTranscript && withholdsSubtitles) askForSubtitles();
  }, [isTranscript, withholdsSubtitles, askForSubtitles]);
  useStartOfLink(durationSeconds);
  const cut = durationSeconds !== null && (
    <>
      <PartFields durationSeconds={durationSeconds} chapters={chapters} clip={clip?.part} />
      {chapters.length > 1 && !isTranscript && <ChapterFilesField />}
      {sponsored && !isTranscript && <SponsoredField found={sponsored} />}
    </>
  );
  const formats = (
    <>
      <FormatFields preview={preview} />
      {soundLanguages.length > 1 && <SoundField languages={soundLanguages} />}
    </>
  );
  const tabs: ChoicesTab[] = [
    { name: "cut", reason: cut ? null : noLength, fields: cut || null },
    { name: "format", reason: null, fields: formats },
  ];
  // A server of another build sends neither.
  if (preview.details !== undefined)
    tabs.push({
      name: "subtitles",
      reason: noSubtitles,
      fields: <SubtitleField {...offered} />,
      onOpen: askForSubtitles,
    });
  if (tags) tabs.push({ name: "tags", reason: null, fields: <TagFields found={tags} /> });
  return <ChoicesTabs tabs={tabs} first={cut ? "cut" : "format"} />;
}

/** Takes the moment that the link names as the start of the part. */
function useStartOfLink(durationSeconds: number | null): void {
  const link = useConverter((state) => state.link);
  const takeStart = useChoices((state) => state.takeStart);
  useEffect(() => {
    const [first] = readLinks(link, () => true).links;
    // A link to this page may have named the part already.
    const { part } = choices.getState().choices ?? {};
    if (durationSeconds !== null) takeStart(part ? undefined : first?.startSeconds, durationSeconds);
  }, [takeStart, link, durationSeconds]);
}
