import { Pill } from "../../components/Card.tsx";
import { useFormats, useTexts } from "../../texts/store.ts";
import type { PlanOffer } from "./plans.ts";

/** Labels with the advantages of a plan. */
export function PlanBadges({ offer: { isFavourite, savingUsd } }: { offer: PlanOffer }) {
  const texts = useTexts().billing;
  const formats = useFormats();
  return (
    <>
      {isFavourite && (
        <Pill bg="accent.soft" color="accent.text">
          {texts.mostPopular}
        </Pill>
      )}
      {savingUsd !== null && <Pill data-tone="ok">{texts.save(formats.dollars(savingUsd))}</Pill>}
    </>
  );
}
