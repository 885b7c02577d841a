import { Button, Flex } from "@chakra-ui/react";
import { useChoices } from "../../client/stores.ts";
import { useConverter, usePreview } from "../../client/converter.ts";
import { Link } from "../../components/Link.tsx";
import type { Refusal } from "../../stores/refusal.ts";
import { useFormats, useTexts } from "../../texts/store.ts";

export interface FormatWaysOutProps {
  readonly refusal: Refusal | null;
  /** Whether the preview may succeed when it is asked for again. */
  readonly canRetry: boolean;
}

/** What helps where the video in the field does not fit, or could not be read. */
export default function FormatWaysOut({ refusal, canRetry }: FormatWaysOutProps) {
  const { link, setLink, setFormat } = useConverter((state) => state);
  const retryPreview = usePreview((state) => state.retry);
  const openChoices = useChoices((state) => state.setOpen);
  const texts = useTexts();
  const formats = useFormats();

  function retry(): void {
    // Forgets why an earlier request for the link was refused.
    setLink(link);
    retryPreview();
  }

  const { otherFormat = null, isLiftedByPro = false, isLiftedByPart = false } = refusal ?? {};
  return (
    <Flex wrap="wrap" gap="2">
      {canRetry && (
        <Button variant="outline" size="sm" onClick={retry}>
          {texts.job.retry}
        </Button>
      )}
      {otherFormat !== null && (
        <Button variant="outline" size="sm" onClick={() => setFormat(otherFormat)}>
          {texts.waysOut.asFormat(formats.latin(otherFormat.toUpperCase()))}
        </Button>
      )}
      {isLiftedByPart && (
        <Button variant="outline" size="sm" onClick={() => openChoices(true)}>
          {texts.waysOut.takePart}
        </Button>
      )}
      {isLiftedByPro && (
        <Button variant="outline" size="sm" asChild>
          <Link to="/plans">{texts.nav.upgrade}</Link>
        </Button>
      )}
    </Flex>
  );
}
