import { Box, Flex, Skeleton, chakra } from "@chakra-ui/react";
import type { ReactNode } from "react";
import type { Estimate, Preview } from "../../../../common/api.ts";
import { Format } from "../../../../common/tiers.ts";
import { useConverter, usePreview } from "../../client/client.ts";
import type { PreviewView } from "../../stores/preview.ts";
import { sentenceOf, useFormats, useLanguage, useTexts } from "../../texts/store.ts";
import type { Texts } from "../../texts/en.ts";
import type { Formats } from "../../texts/format.ts";
import { Thumbnail } from "../queue/Thumbnail.tsx";

// The same height in every state, so that nothing below moves.
const Stage = chakra("div", {
  base: {
    display: "grid",
    gridTemplateColumns: { base: "4.5rem minmax(0, 1fr)", sm: "6rem minmax(0, 1fr)" },
    columnGap: { base: "3", sm: "4" },
    alignItems: "center",
    minH: { base: "6.25rem", sm: "4.875rem" },
    px: { base: "1", sm: "1.5" },
    pt: "2",
  },
});

const EMPTY_PICTURE = {};

function StageMessage({ isBad = false, children }: { isBad?: boolean; children: ReactNode }) {
  return (
    <>
      <Box opacity={isBad ? 1 : 0.7}>
        <Thumbnail job={EMPTY_PICTURE} />
      </Box>
      <Box textStyle="meta" lineClamp={{ base: 4, sm: 3 }} textWrap="pretty">
        {children}
      </Box>
    </>
  );
}

function Loading() {
  const { loading } = useTexts().converter.preview;
  return (
    <>
      <Skeleton loading aspectRatio="16 / 9" />
      <Box aria-busy="true" aria-label={loading} role="img">
        <Skeleton loading h="4" maxW="20rem" mb="2.5" />
        <Skeleton loading h="3" maxW="12rem" />
      </Box>
    </>
  );
}

/** @returns for example "about 3.1 MB", or why the video cannot be converted to this format */
function estimateText(
  { sizeBytes, fits, note }: Estimate,
  texts: Texts["converter"]["preview"],
  formats: Formats,
  isEnglish: boolean,
): string {
  // The server's notes are in English; other languages use a general text.
  if (!fits) return isEnglish && note !== null ? note : texts.doesNotFit;
  return sizeBytes === null ? texts.sizeUnknown : texts.about(formats.megabytes(sizeBytes));
}

/** @returns "MP3 · 128 kbps", or "MP4 · 360p to fit 50 MB" where the tier's quality would be too large */
function formatText(format: Format, { quality, fits, note }: Estimate, formats: Formats): string {
  if (!fits || note === null) return formats.kind({ format, quality });
  return formats.latin(`${format.toUpperCase()} · ${note}`);
}

function Estimates({ estimates }: { estimates: Preview["estimates"] }) {
  const chosen = useConverter((state) => state.format);
  const texts = useTexts().converter.preview;
  const formats = useFormats();
  const isEnglish = useLanguage() === "en";
  const estimateTexts = Format.options.map((format) => estimateText(estimates[format], texts, formats, isEnglish));
  // A problem of both formats is shown once.
  if (estimateTexts[0] === estimateTexts[1] && !estimates.mp3.fits)
    return (
      <Box textStyle="meta" color="bad" lineClamp={2}>
        {estimateTexts[0]}
      </Box>
    );
  return (
    <Flex
      as="dl"
      direction={{ base: "column", sm: "row" }}
      columnGap="5"
      rowGap="0.5"
      textStyle="meta"
      fontSize={{ base: "xs", sm: "sm" }}
      minW="0"
    >
      {Format.options.map((format, index) => (
        <Flex
          key={format}
          gap="1.5"
          minW="0"
          color={format === chosen ? "fg" : undefined}
          data-estimate={format}
          data-chosen={format === chosen || undefined}
        >
          <chakra.dt flexShrink={0} fontWeight={600}>
            {formatText(format, estimates[format], formats)}
          </chakra.dt>
          <chakra.dd truncate title={estimateTexts[index]} color={estimates[format].fits ? undefined : "bad"}>
            {estimateTexts[index]}
          </chakra.dd>
        </Flex>
      ))}
    </Flex>
  );
}

function Ready({ preview: { title, thumbnail, durationSeconds, estimates } }: { preview: Preview }) {
  const picture = { thumbnailUrl: thumbnail ?? undefined, durationSeconds: durationSeconds ?? undefined };
  return (
    <>
      <Thumbnail job={picture} />
      <Box minW="0" animation="fadeIn 160ms" _motionReduce={{ animation: "none" }}>
        <Box
          dir="auto"
          title={title}
          fontWeight={600}
          lineHeight={1.4}
          overflowWrap="anywhere"
          lineClamp={{ base: 2, sm: 1 }}
          mb="0.5"
          _rtl={{ textAlign: "right" }}
        >
          {title}
        </Box>
        <Estimates estimates={estimates} />
      </Box>
    </>
  );
}

/** @returns the text for screen readers */
function screenReaderText(view: PreviewView, texts: Texts["converter"]["preview"], formats: Formats): string {
  if (view.phase === "failed") return view.error ? sentenceOf(view.error) : texts.failed;
  if (view.phase !== "ready") return "";
  const { title, durationSeconds } = view.preview;
  return durationSeconds === null ? title : texts.announce(title, formats.spokenLength(durationSeconds));
}

/** The preview of the link, below the field. */
export function PreviewStage({ remark }: { remark?: ReactNode }) {
  const view = usePreview((state) => state.view);
  const texts = useTexts().converter.preview;
  const formats = useFormats();
  const announcement = screenReaderText(view, texts, formats);
  return (
    <>
      <Stage role="group" aria-label={texts.name} data-preview={view.phase}>
        {view.phase === "none" && <StageMessage>{texts.hint}</StageMessage>}
        {view.phase === "loading" && <Loading />}
        {view.phase === "ready" && <Ready preview={view.preview} />}
        {view.phase === "failed" && <StageMessage isBad>{announcement}</StageMessage>}
      </Stage>
      {remark}
      <chakra.div srOnly aria-live="polite">
        {announcement}
      </chakra.div>
    </>
  );
}
