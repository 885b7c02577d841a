import { Button, Flex } from "@chakra-ui/react";
import { Link } from "react-router";
import { TIERS } from "../../../../common/tiers.ts";
import type { Format } from "../../../../common/tiers.ts";
import { useChoices, useConverter } from "../../client/client.ts";
import { useFormats, useTexts } from "../../texts/store.ts";
import { FormatHint } from "./FormatHint.tsx";
import { useRefusal } from "./use-refusal.ts";

/** The quality of the chosen format or, for a video that does not fit, what helps. */
export function FormatAdvice({ format }: { format: Format }) {
  const refusal = useRefusal();
  const setFormat = useConverter((state) => state.setFormat);
  const texts = useTexts();
  const formats = useFormats();
  const openChoices = useChoices((state) => state.setOpen);
  const { otherFormat = null, isLiftedByPro = false, isLiftedByPart = false, isLongerThanPro = false } = refusal ?? {};
  if (isLongerThanPro && !isLiftedByPart) return texts.waysOut.beyondPro(formats.span(TIERS.pro.maxDurationSeconds));
  if (otherFormat === null && !isLiftedByPro && !isLiftedByPart) return <FormatHint format={format} />;
  return (
    <Flex wrap="wrap" gap="2">
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
