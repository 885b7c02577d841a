import { Box, Flex, chakra } from "@chakra-ui/react";
import { CheckIcon } from "../../components/icons.tsx";
import { PRO_FEATURES } from "./plans.ts";

/** What Pro gives, ticked off. */
export function FeatureList() {
  return (
    <chakra.ul listStyleType="none" display="grid" gap="2" fontSize="md" aria-label="Pro features">
      {PRO_FEATURES.map((feature) => (
        <Flex as="li" key={feature} gap="2.5">
          <Box color="accent.text" bg="accent.soft" borderRadius="full" boxSize="18px" flexShrink={0} mt="0.5">
            <CheckIcon />
          </Box>
          {feature}
        </Flex>
      ))}
    </chakra.ul>
  );
}
