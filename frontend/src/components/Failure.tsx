import { Box, Button } from "@chakra-ui/react";

/** What is left when the page itself breaks; the conversions go on at the server. */
export function Failure() {
  return (
    <Box as="main" maxW="page" mx="auto" px="6" py="16" role="alert">
      <Box as="h1" textStyle="heading" mb="2">
        This page has stopped working
      </Box>
      <Box textStyle="lead" color="fg.muted" mb="6">
        Your conversions are safe and go on without it. Reload the page to see them.
      </Box>
      <Button onClick={() => window.location.reload()}>Reload the page</Button>
    </Box>
  );
}
