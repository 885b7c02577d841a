import { Box } from "@chakra-ui/react";
import { estimateOf } from "../../../../common/api.ts";
import { useConverter, usePreview } from "../../client/converter.ts";
import { useChoices } from "../../client/stores.ts";
import { useChoicesTexts } from "../../texts/choices/index.ts";
import { useFormats, useTexts } from "../../texts/store.ts";
import { BarText } from "../converter/ConvertBar.tsx";
import { estimateText, formatText } from "../converter/estimate-words.ts";

/** What Convert makes of the video in the field, with its size and the length of the part. */
export default function ChosenSize() {
  const view = usePreview((state) => state.view);
  const format = useConverter((state) => state.format);
  const choices = useChoices((state) => state.choices);
  const texts = useTexts();
  const { part: partTexts } = useChoicesTexts();
  const formats = useFormats();
  const estimate = view.phase === "ready" ? estimateOf(view.preview, format) : undefined;
  if (!estimate) return null;
  const part = choices?.part;
  const length = part && partTexts.chosen(formats.clock(part.endSeconds - part.startSeconds));
  const size = estimateText(format, estimate, texts.converter.preview, formats);
  return (
    <BarText about={formatText(format, estimate, choices?.subtitles, texts, formats)}>
      <Box as="span" color={estimate.fits ? undefined : "bad"}>
        {size}
      </Box>
      {size !== "" && length && " · "}
      {length}
    </BarText>
  );
}
