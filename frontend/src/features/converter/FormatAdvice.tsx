import { Button, Flex } from "@chakra-ui/react";
import { canRetryPreview } from "../../../../common/remedies.ts";
import { TIERS } from "../../../../common/tiers.ts";
import type { Format } from "../../../../common/tiers.ts";
import { useChoices } from "../../client/stores.ts";
import { useConverter, usePreview } from "../../client/converter.ts";
import { Link } from "../../components/Link.tsx";
import { useFormats, useTexts } from "../../texts/store.ts";
import { FormatHint } from "./FormatHint.tsx";
import { useRefusal } from "./use-refusal.ts";

/** The quality of the chosen format or, for a video that does not fit or that could not be read, what helps. */
export function FormatAdvice({ format }: { format: Format }) {
  const refusal = useRefusal();
  const setFormat = useConverter((state) => state.setFormat);
  const texts = useTexts();
  const formats = useFormats();
  const hasList = useConverter((state) => state.list !== null);
  const canRetry = usePreview(({ view }) => !hasList && view.phase === "failed" && canRetryPreview(view.error));
  const retry = usePreview((state) => state.retry);
  const openChoices = useChoices((state) => state.setOpen);
  const { otherFormat = null, isLiftedByPro = false, isLiftedByPart = false, isLongerThanPro = false } = refusal ?? {};
  if (isLongerThanPro && !isLiftedByPart) return texts.waysOut.beyondPro(formats.span(TIERS.pro.maxDurationSeconds));
  if (otherFormat === null && !isLiftedByPro && !isLiftedByPart && !canRetry) return <FormatHint format={format} />;
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
