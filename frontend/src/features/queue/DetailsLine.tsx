import { Flex } from "@chakra-ui/react";
import type { ReactNode } from "react";

/** Smaller in the queue of a phone. */
export const DETAILS_SIZE = "var(--details-size, {fontSizes.sm})";

interface DetailsLineProps {
  /** Whether it may need all the height that a row has for it on phones. */
  readonly isTight?: boolean;
  readonly children: ReactNode;
}

/** The line below a job's title or bar. */
export function DetailsLine({ isTight = false, children }: DetailsLineProps) {
  return (
    <Flex
      wrap="wrap"
      align="center"
      columnGap={{ base: "1.5", sm: "2.5" }}
      pt={{ base: "1", sm: "1.5" }}
      css={isTight ? { "[data-place=list] &": { smDown: { pt: "0" } } } : undefined}
      textStyle="meta"
      fontSize={DETAILS_SIZE}
    >
      {children}
    </Flex>
  );
}
