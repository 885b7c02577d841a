import { Flex } from "@chakra-ui/react";
import type { ReactNode } from "react";

/** The line below a job's title or bar. */
export function DetailsLine({ children }: { children: ReactNode }) {
  return (
    <Flex wrap="wrap" align="center" columnGap="2.5" rowGap="0.5" pt="1.5" textStyle="meta">
      {children}
    </Flex>
  );
}
