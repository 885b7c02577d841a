import { Box, Button } from "@chakra-ui/react";
import { Link } from "../components/Link.tsx";
import { Footer } from "../components/layout/Footer.tsx";
import { Page } from "../components/layout/Page.tsx";
import { useTexts } from "../texts/store.ts";
import { useHead } from "../platform/use-head.ts";
import { useTitle } from "./use-title.ts";

export function NotFoundPage() {
  const { description, notFound: texts } = useTexts();
  useTitle(texts.title);
  useHead({ description, isPrivate: true });
  return (
    <Page>
      <Box as="main" minH="60vh">
        <Box as="h1" textStyle="display" mt={{ base: "7", sm: "12" }} mb="3">
          {texts.title}
        </Box>
        <Box as="p" textStyle="lead" color="fg.muted" mb="7">
          {texts.text}
        </Box>
        <Button asChild size="lg">
          <Link to="/">{texts.back}</Link>
        </Button>
      </Box>
      <Footer />
    </Page>
  );
}
