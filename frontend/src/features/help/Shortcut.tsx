import { Box, chakra } from "@chakra-ui/react";
import { useIsHydrated } from "../../components/use-is-hydrated.ts";
import { useHelpTexts } from "../../texts/help/index.ts";
import { linesOf, SHORTCUT_CALLS } from "./shortcut-calls.ts";

const STEPS = ["token", "make", "convert", "answer", "look", "file", "other"] as const;

const Code = chakra("pre", {
  base: {
    mt: "1.5",
    px: "3",
    py: "2",
    borderRadius: "sm",
    bg: "bg.sunken",
    color: "fg",
    fontFamily: "mono",
    fontSize: "sm",
    textAlign: "left",
    whiteSpace: "pre-wrap",
    overflowWrap: "anywhere",
  },
});

/** How to make the shortcut, step by step. */
export function Shortcut() {
  const { steps } = useHelpTexts().anywhere.shortcut;
  // A prerendered page does not know where it will be.
  const origin = useIsHydrated() ? window.location.origin : "";
  return (
    <chakra.ol color="fg.muted" fontSize="md" pb="3.5" ps="6" pe="2" listStyleType="decimal">
      {STEPS.map((step) => (
        <Box as="li" key={step} mb="2.5">
          {steps[step]}
          {step in SHORTCUT_CALLS && (
            <Code dir="ltr">{linesOf(SHORTCUT_CALLS[step as keyof typeof SHORTCUT_CALLS], origin).join("\n")}</Code>
          )}
        </Box>
      ))}
    </chakra.ol>
  );
}
