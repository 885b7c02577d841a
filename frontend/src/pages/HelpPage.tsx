import { Box, Button, SimpleGrid } from "@chakra-ui/react";
import { Card } from "../components/Card.tsx";
import { Link } from "../components/Link.tsx";
import { Questions } from "../components/Questions.tsx";
import { TextColumn, TextHead } from "../components/layout/TextColumn.tsx";
import { Anywhere } from "../features/help/Anywhere.tsx";
import { useHead } from "../platform/use-head.ts";
import { useHelpTexts } from "../texts/help/index.ts";
import { withFigures } from "../texts/prose.ts";
import { useFigures } from "../texts/use-figures.ts";
import { useTitle } from "./use-title.ts";

function Help() {
  const texts = useHelpTexts();
  const { texts: words, lead, sections } = withFigures(texts.prose, useFigures());
  useTitle(words.title);
  useHead({ description: words.description });
  return (
    <>
      <TextHead title={words.title} lead={lead} />
      <SimpleGrid columns={{ base: 1, sm: 2 }} gap="4" alignItems="start">
        {sections.map(({ title, questions }) => (
          <Card key={title} px="5" pt="4" pb="1.5">
            <Box as="h2" textStyle="heading" mb="3">
              {title}
            </Box>
            <Questions questions={questions} />
          </Card>
        ))}
      </SimpleGrid>
      <Anywhere />
      <Box as="section" mt="11" textAlign="center">
        <Box as="h2" textStyle="heading" mb="1">
          {texts.more.title}
        </Box>
        <Box as="p" color="fg.muted" mb="4">
          {texts.more.text}
        </Box>
        <Button asChild size="lg">
          <Link to="/contact">{texts.more.button}</Link>
        </Button>
      </Box>
    </>
  );
}

export function HelpPage() {
  return (
    <TextColumn>
      <Help />
    </TextColumn>
  );
}
