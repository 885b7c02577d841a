import { Suspense, lazy } from "react";
import { canRetryPreview } from "../../../../common/remedies.ts";
import { TIERS } from "../../../../common/tiers.ts";
import type { Format } from "../../../../common/tiers.ts";
import { useConverter, usePreview } from "../../client/converter.ts";
import { useFormats, useTexts } from "../../texts/store.ts";
import { FormatHint } from "./FormatHint.tsx";
import { useRefusal } from "./use-refusal.ts";

// Most videos fit.
const FormatWaysOut = lazy(() => import("./FormatWaysOut.tsx"));

/** The quality of the chosen format or, for a video that does not fit or that could not be read, what helps. */
export function FormatAdvice({ format }: { format: Format }) {
  const refusal = useRefusal();
  const texts = useTexts();
  const formats = useFormats();
  const hasList = useConverter((state) => state.list !== null);
  const canRetry = usePreview(({ view }) => !hasList && view.phase === "failed" && canRetryPreview(view.error));
  const { otherFormat = null, isLiftedByPro = false, isLiftedByPart = false, isLongerThanPro = false } = refusal ?? {};
  if (isLongerThanPro && !isLiftedByPart) return texts.waysOut.beyondPro(formats.span(TIERS.pro.maxDurationSeconds));
  if (otherFormat === null && !isLiftedByPro && !isLiftedByPart && !canRetry) return <FormatHint format={format} />;
  return (
    <Suspense>
      <FormatWaysOut refusal={refusal} canRetry={canRetry} />
    </Suspense>
  );
}
