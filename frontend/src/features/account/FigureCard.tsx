import { Box } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { Card } from "../../components/Card.tsx";

export interface FigureCardProps {
  readonly name: string;
  readonly figure: ReactNode;
  readonly remark?: ReactNode;
}

/** One figure with its name. */
export function FigureCard({ name, figure, remark }: FigureCardProps) {
  return (
    <Card as="article" aria-label={name} p="5">
      <Box as="h2" textStyle="meta" fontWeight={600}>
        {name}
      </Box>
      <Box fontFamily="heading" fontWeight={700} fontSize="xl" lineHeight={1.3} mt="1.5" fontVariantNumeric="tabular-nums">
        {figure}
      </Box>
      {remark && (
        <Box textStyle="meta" mt="1">
          {remark}
        </Box>
      )}
    </Card>
  );
}
