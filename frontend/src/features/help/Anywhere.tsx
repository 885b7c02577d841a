/** Ways to convert without coming to the page first. */
import { Box, chakra } from "@chakra-ui/react";
import { Card } from "../../components/Card.tsx";
import { Question } from "../../components/Questions.tsx";
import { useHelpTexts } from "../../texts/help/index.ts";
import { Bookmark } from "./Bookmark.tsx";
import { Shortcut } from "./Shortcut.tsx";

export function Anywhere() {
  const texts = useHelpTexts().anywhere;
  return (
    <Card id="anywhere" px="5" pt="4" pb="1.5" mt="4">
      <Box as="h2" textStyle="heading" mb="3">
        {texts.title}
      </Box>
      <Box mb="4">
        <Bookmark />
      </Box>
      <Question question={texts.shortcut.title}>
        <Shortcut />
      </Question>
      <Question question={texts.programs.title}>
        <Box as="p" color="fg.muted" fontSize="md" pb="3.5" pe="6">
          {texts.programs.text}{" "}
          <chakra.a href="/api" textDecoration="underline">
            {texts.programs.link}
          </chakra.a>
        </Box>
      </Question>
    </Card>
  );
}
