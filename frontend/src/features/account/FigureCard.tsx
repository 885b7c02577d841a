import { Box, chakra } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { Card } from "../../components/Card.tsx";

export interface FigureCardProps {
  readonly name: string;
  readonly figure: ReactNode;
  readonly remark?: ReactNode;
  /** Takes a full row on phones, where the other cards are in two columns. */
  readonly isWide?: boolean;
}

/** Grid of the figure cards. */
export const FigureCards = chakra("div", {
  base: {
    display: "grid",
    gap: { base: "3", sm: "4" },
    gridTemplateColumns: { base: "repeat(auto-fit, minmax(min(100%, 8.75rem), 1fr))", sm: "repeat(3, minmax(0, 1fr))" },
  },
});

/** A card with one figure and its name. */
export function FigureCard({ name, figure, remark, isWide = false }: FigureCardProps) {
  return (
    <Card
      as="article"
      aria-label={name}
      px={{ base: "4", sm: "5" }}
      py={{ base: "3.5", sm: "5" }}
      gridColumn={{ base: isWide ? "1 / -1" : "auto", sm: "auto" }}
      overflowWrap="anywhere"
    >
      <Box as="h2" textStyle="meta" fontWeight={600}>
        {name}
      </Box>
      <Box fontFamily="heading" fontWeight={700} fontSize="xl" lineHeight={1.3} mt="1.5">
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
