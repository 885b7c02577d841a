import { Box, Flex, chakra } from "@chakra-ui/react";
import { Plan } from "../../../../common/api.ts";
import { useFormats, useTexts } from "../../texts/store.ts";
import { useSubscribeTexts } from "../../texts/subscribe/index.ts";
import { MonthOfYear, PlanBadges } from "../billing/PlanBadges.tsx";
import { OFFERS } from "../billing/plans.ts";

const Option = chakra("label", {
  base: {
    display: "block",
    position: "relative",
    p: { base: "3", sm: "4" },
    bg: "surface",
    border: "1px solid {colors.border}",
    borderRadius: "lg",
    cursor: "pointer",
    transition: "border-color 120ms, box-shadow 120ms",
    _hover: { borderColor: "accent" },
    "&:has(input:checked)": { borderColor: "accent", boxShadow: "0 0 0 3px {colors.accent.soft}" },
    "&:has(input:focus-visible)": { outline: "2px solid {colors.accent.text}", outlineOffset: "3px" },
    "&:has(input:disabled)": { cursor: "not-allowed" },
  },
});

export interface PlanChoiceProps {
  readonly plan: Plan;
  readonly isDisabled: boolean;
  readonly onChoose: (plan: Plan) => void;
}

/** A choice between the two plans. */
export function PlanChoice({ plan: chosen, isDisabled, onChoose }: PlanChoiceProps) {
  const texts = useTexts().billing;
  const { plan: legend } = useSubscribeTexts();
  const formats = useFormats();
  return (
    <chakra.fieldset display="grid" gridTemplateColumns="repeat(2, minmax(0, 1fr))" gap="3">
      <chakra.legend srOnly>{legend}</chakra.legend>
      {Plan.options.map((plan) => {
        const offer = OFFERS[plan];
        const { name, interval, priced } = texts.plans[plan];
        const price = formats.dollars(offer.priceUsd);
        return (
          <Option key={plan}>
            <Flex align="center" gap="2.5" minH="6">
              <chakra.input
                type="radio"
                name="plan"
                value={plan}
                aria-label={priced(price)}
                checked={plan === chosen}
                disabled={isDisabled}
                onChange={() => onChoose(plan)}
                accentColor="accent.text"
                boxSize="18px"
                _focusVisible={{ outline: "none" }}
              />
              <Box fontWeight={600}>{name}</Box>
            </Flex>
            <Flex wrap="wrap" align="baseline" columnGap="2" mt="2">
              <Box fontFamily="heading" fontWeight={700} fontSize="xl" lineHeight={1.2}>
                {price}
              </Box>
              <Box textStyle="meta">{interval}</Box>
            </Flex>
            <MonthOfYear offer={offer} />
            <Flex wrap="wrap" gap="1.5" mt="2" minH="6">
              <PlanBadges offer={offer} />
            </Flex>
          </Option>
        );
      })}
    </chakra.fieldset>
  );
}
