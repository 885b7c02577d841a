import { Box, Button } from "@chakra-ui/react";
import { useTexts } from "../texts/store.ts";

/** What is left when the page itself breaks; the conversions go on at the server. */
export function Failure() {
  const texts = useTexts().failure;
  return (
    <Box as="main" maxW="page" mx="auto" px="6" py="16" role="alert">
      <Box as="h1" textStyle="heading" mb="2">
        {texts.title}
      </Box>
      <Box textStyle="lead" color="fg.muted" mb="6">
        {texts.text}
      </Box>
      <Button onClick={() => window.location.reload()}>{texts.reload}</Button>
    </Box>
  );
}
