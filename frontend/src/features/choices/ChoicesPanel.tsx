import { Box } from "@chakra-ui/react";
import { useEffect, useRef } from "react";
import type { Preview } from "../../../../common/api.ts";
import { useChoicesTexts } from "../../texts/choices/index.ts";
import { UNTOUCHED_AT_FIRST } from "../../theme/untouched.ts";
import { BAR_ROOM } from "../converter/ConvertBar.tsx";
import { CHOICES_ID } from "./ChoicesButton.tsx";
import { ManyChoices } from "./ManyChoices.tsx";
import { VideoChoices } from "./VideoChoices.tsx";

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
    <Box
      ref={panel}
      id={CHOICES_ID}
      role="group"
      aria-label={preview ? texts.name : texts.button}
      mt="3"
      px={{ base: "3", sm: "4" }}
      pb="4"
      pt="1"
      bg="bg.sunken"
      borderRadius="lg"
      scrollMarginBottom={BAR_ROOM}
      css={UNTOUCHED_AT_FIRST}
    >
      {preview ? <VideoChoices preview={preview} /> : <ManyChoices />}
    </Box>
  );
}
