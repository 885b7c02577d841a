import { Box, chakra } from "@chakra-ui/react";
import type { ReactNode } from "react";

const Details = chakra("details", {
  base: {
    borderTop: "1px solid {colors.border}",
    "& > summary": {
      display: "flex",
      alignItems: "center",
      justifyContent: "space-between",
      gap: "3",
      minH: "11",
      py: "2",
      fontWeight: 600,
      cursor: "pointer",
      borderRadius: "sm",
      listStyle: "none",
      _hover: { color: "accent.text" },
      "&::-webkit-details-marker": { display: "none" },
      // An arrow that turns when open; made of borders, which forced colours keep.
      "&::after": {
        content: '""',
        flexShrink: 0,
        boxSize: "2",
        me: "1",
        mt: "-1",
        borderInlineEnd: "2px solid currentcolor",
        borderBottom: "2px solid currentcolor",
        transform: "rotate(calc(45deg * var(--toward-end, 1)))",
        transition: "transform 160ms",
        _motionReduce: { transition: "none" },
      },
    },
    "&[open] > summary::after": { transform: "translateY(4px) rotate(calc(225deg * var(--toward-end, 1)))" },
  },
});

export interface QuestionsProps {
  readonly questions: readonly { readonly question: string; readonly answer: string }[];
}

/** A question with a folded answer; the browser's page search finds the folded text. */
export function Question({ question, children }: { readonly question: string; readonly children: ReactNode }) {
  return (
    <Details>
      <summary>{question}</summary>
      {children}
    </Details>
  );
}

/** Questions whose answers are a paragraph each. */
export function Questions({ questions }: QuestionsProps) {
  return questions.map(({ question, answer }) => (
    <Question key={question} question={question}>
      <Box as="p" color="fg.muted" fontSize="md" pb="3.5" pe="6">
        {answer}
      </Box>
    </Question>
  ));
}
