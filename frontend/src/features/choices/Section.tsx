import { Box, Flex, Spacer } from "@chakra-ui/react";
import type { ReactNode } from "react";

export interface SectionProps {
  readonly title: string;
  /** Beside the title. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** A group of fields in the choices. */
export function Section({ title, action, children }: SectionProps) {
  return (
    <Box role="group" aria-label={title}>
      <Flex align="center" minH="11" columnGap="3">
        <Box fontSize="sm" fontWeight={600}>
          {title}
        </Box>
        <Spacer />
        {action}
      </Flex>
      {children}
    </Box>
  );
}
