import { Flex } from "@chakra-ui/react";
import type { ReactNode } from "react";

/** Smaller in the queue of a phone. */
export const DETAILS_SIZE = "var(--details-size, {fontSizes.sm})";

/** The line below a job's title or bar. */
export function DetailsLine({ children }: { children: ReactNode }) {
  return (
    <Flex
      wrap="wrap"
      align="center"
      columnGap={{ base: "1.5", sm: "2.5" }}
      pt={{ base: "1", sm: "1.5" }}
      textStyle="meta"
      fontSize={DETAILS_SIZE}
    >
      {children}
    </Flex>
  );
}
