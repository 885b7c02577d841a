import { Flex, chakra } from "@chakra-ui/react";
import { TIERS } from "../../../common/tiers.ts";
import { useDevice } from "../app.ts";

/** The house's own advertisement: nothing is loaded from anywhere, nothing is counted. */
export function AdStrip() {
  const isShown = useDevice((state) => TIERS[state.tier].showsAds && !state.info?.authenticated);
  if (!isShown) return null;
  return (
    <Flex
      as="aside"
      aria-label="Advertisement"
      align="center"
      gap="3.5"
      border="1px dashed {colors.border}"
      borderRadius="lg"
      px="4"
      py="3"
      textStyle="meta"
    >
      <chakra.span
        border="1px solid {colors.border}"
        borderRadius="xs"
        px="1.5"
        fontSize="2xs"
        letterSpacing="0.06em"
        textTransform="uppercase"
      >
        Ad
      </chakra.span>
      <span>Hear what you keep: studio headphones, 20 % off this week.</span>
    </Flex>
  );
}
