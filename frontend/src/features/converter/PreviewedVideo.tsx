import { Box, Flex, chakra } from "@chakra-ui/react";
import { estimateOf } from "../../../../common/api.ts";
import type { Estimate, Preview } from "../../../../common/api.ts";
import type { Format } from "../../../../common/tiers.ts";
import { useChoices } from "../../client/stores.ts";
import { useConverter } from "../../client/converter.ts";
import { problemSentence } from "../../stores/converter.ts";
import { isOffered, OFFERED_FORMATS } from "../../stores/offered-formats.ts";
import { useFormats, useTexts } from "../../texts/store.ts";
import { Thumbnail } from "../queue/Thumbnail.tsx";
import { estimateText, formatText } from "./estimate-words.ts";

/** In the place of the sizes. */
function NotTaken({ id, children }: { readonly id?: string; readonly children: string | undefined }) {
  return (
    <Box id={id} title={children} textStyle="meta" color="bad" fontWeight={600} lineClamp={{ base: 3, sm: 2 }}>
      {children}
    </Box>
  );
}

/** Of MP3 and MP4; of another format alone, once it is chosen. */
function Estimates({ preview }: { preview: Preview }) {
  const chosen = useConverter((state) => state.format);
  const subtitles = useChoices((state) => state.choices?.subtitles);
  const texts = useTexts();
  const formats = useFormats();
  const other = isOffered(chosen) ? undefined : estimateOf(preview, chosen);
  const shown: readonly (readonly [Format, Estimate])[] = other
    ? [[chosen, other]]
    : OFFERED_FORMATS.map((format) => [format, preview.estimates[format]]);
  const estimateTexts = shown.map(([format, estimate]) =>
    estimateText(format, estimate, texts.converter.preview, formats),
  );
  // A problem of both formats is shown once.
  if (new Set(estimateTexts).size === 1 && !shown.some(([, { fits }]) => fits))
    return <NotTaken>{estimateTexts[0]}</NotTaken>;
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
      {shown.map(([format, estimate], index) => (
        <Flex
          key={format}
          gap="1.5"
          minW="0"
          color={format === chosen ? "fg" : undefined}
          data-estimate={format}
          data-chosen={format === chosen || undefined}
        >
          <chakra.dt flexShrink={0} fontWeight={600}>
            {formatText(format, estimate, subtitles, texts, formats)}
          </chakra.dt>
          <chakra.dd truncate title={estimateTexts[index]} color={estimate.fits ? undefined : "bad"}>
            {estimateTexts[index]}
          </chakra.dd>
        </Flex>
      ))}
    </Flex>
  );
}

/** Title, picture and estimated sizes of the video behind the link in the field. */
export default function PreviewedVideo({ preview, problemId }: { preview: Preview; problemId: string }) {
  const { title, thumbnail, durationSeconds } = preview;
  const problem = useConverter((state) => state.problem);
  const texts = useTexts();
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
        {problem === null ? (
          <Estimates preview={preview} />
        ) : (
          <NotTaken id={problemId}>{problemSentence(problem, texts)}</NotTaken>
        )}
      </Box>
    </>
  );
}
