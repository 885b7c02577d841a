import { Box, Flex, chakra } from "@chakra-ui/react";
import { CheckIcon } from "../../components/icons.tsx";
import { useFormats, useTexts } from "../../texts/store.ts";
import { proFeatures } from "./plans.ts";

/** What Pro gives, ticked off. */
export function FeatureList() {
  const { features: texts } = useTexts().billing;
  const formats = useFormats();
  return (
    <chakra.ul listStyleType="none" display="grid" gap="2" fontSize="md" aria-label={texts.name}>
      {proFeatures(texts, formats).map((feature) => (
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
