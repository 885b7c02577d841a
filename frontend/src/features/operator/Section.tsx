/** The parts that all sections of the operator's page are made of. */
import { Box, Button, Flex, chakra } from "@chakra-ui/react";
import { useId, useState } from "react";
import type { ReactNode } from "react";
import { Card } from "../../components/Card.tsx";
import { useOperatorTexts } from "../../texts/operator/index.ts";

export function Section({ title, about, children }: { title: string; about?: string; children: ReactNode }) {
  const id = useId();
  return (
    <Box as="section" aria-labelledby={id} mt="8">
      <Box as="h2" id={id} textStyle="heading" mb={about === undefined ? "3" : "1"}>
        {title}
      </Box>
      {about !== undefined && (
        <Box textStyle="meta" mb="3">
          {about}
        </Box>
      )}
      <Card as="div">{children}</Card>
    </Box>
  );
}

/** A list whose rows are divided by lines. */
export const Rows = chakra("ul", {
  base: { listStyleType: "none", "& > li + li": { borderTop: "1px solid {colors.border}" } },
});

/** Text at the start, buttons at the end; below each other where there is no room. */
export function Row({ children, buttons }: { children: ReactNode; buttons?: ReactNode }) {
  return (
    <Flex as="li" wrap="wrap" align="center" gap="2" columnGap="4" px="4" py="3">
      <Box flex="1 1 16rem" minW="0" overflowWrap="anywhere">
        {children}
      </Box>
      {buttons}
    </Flex>
  );
}

export function Empty({ children }: { children: ReactNode }) {
  return (
    <Box px="4" py="4" color="fg.muted">
      {children}
    </Box>
  );
}

export interface ConfirmProps {
  readonly label: string;
  /** The name for screen readers, where several buttons have the same label. */
  readonly name?: string;
  readonly question: string;
  readonly isBusy: boolean;
  /** With a line around it, where it stands alone. */
  readonly isOutlined?: boolean;
  readonly onConfirm: () => void;
}

/** A button that takes two presses, for what a visitor would notice. */
export function ConfirmButton({ label, name, question, isBusy, isOutlined = false, onConfirm }: ConfirmProps) {
  const [phase, setPhase] = useState<"idle" | "asking" | "answered">("idle");
  const texts = useOperatorTexts();
  if (phase !== "asking")
    return (
      <Button
        size="sm"
        variant={isOutlined ? "outline" : "ghost"}
        aria-label={name}
        disabled={isBusy}
        // The focus comes back to where it was.
        autoFocus={phase === "answered"}
        onClick={() => setPhase("asking")}
      >
        {label}
      </Button>
    );
  return (
    <Flex wrap="wrap" gap="2">
      <Button
        autoFocus
        size="sm"
        variant="outline"
        color="bad"
        disabled={isBusy}
        onClick={() => {
          setPhase("answered");
          onConfirm();
        }}
      >
        {question}
      </Button>
      <Button size="sm" variant="ghost" onClick={() => setPhase("answered")}>
        {texts.keep}
      </Button>
    </Flex>
  );
}
