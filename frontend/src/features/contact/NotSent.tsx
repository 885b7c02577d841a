import { Box } from "@chakra-ui/react";
import { useContactTexts } from "../../texts/contact/index.ts";
import type { ContactTexts } from "../../texts/contact/en.ts";
import type { Formats } from "../../texts/format.ts";
import { useFormats } from "../../texts/store.ts";
import { SupportAddress } from "./SupportAddress.tsx";
import { keptDraft } from "./kept-draft.ts";
import type { Failure } from "./send-message.ts";

function sentenceOf(failure: Failure, texts: ContactTexts["form"]["failures"], formats: Formats): string {
  switch (failure.kind) {
    case "limited":
      return texts.limited(formats.inUnits(failure.waitMinutes, "minute"));
    case "refused":
      return failure.sentence;
    default:
      return texts[failure.kind];
  }
}

/** Says that a message was not sent, and offers to send its text by the visitor's own mail program. */
export function NotSent({ failure }: { failure: Failure }) {
  const texts = useContactTexts().form;
  const formats = useFormats();
  return (
    <Box role="alert" bg="bad.soft" borderRadius="md" px="4" pt="3" pb="1" mb="4" fontSize="sm">
      <Box color="bad" fontWeight={600}>
        {texts.notSent}
      </Box>
      <Box>{sentenceOf(failure, texts.failures, formats)}</Box>
      <SupportAddress body={keptDraft().message} />
    </Box>
  );
}
