import { Box } from "@chakra-ui/react";
import { Pill } from "../../components/Card.tsx";
import { useFormats, useTexts } from "../../texts/store.ts";
import type { PlanOffer } from "./plans.ts";

/** "$7.50 per month", beside the price of a year; nothing for the monthly plan. */
export function MonthOfYear({ offer: { monthUsd } }: { offer: PlanOffer }) {
  const { interval } = useTexts().billing.plans.monthly;
  const formats = useFormats();
  return monthUsd !== null && <Box textStyle="meta">{`${formats.dollars(monthUsd)} ${interval}`}</Box>;
}

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
