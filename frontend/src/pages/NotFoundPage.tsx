import { Box, Button } from "@chakra-ui/react";
import { Link } from "react-router";
import { Footer } from "../components/Footer.tsx";
import { Page } from "../components/Page.tsx";
import { useTitle } from "../title.ts";

export function NotFoundPage() {
  useTitle("404 Page Not Found");
  return (
    <Page>
      <Box as="main" minH="60vh">
        <Box as="h1" textStyle="display" mt={{ base: "7", sm: "12" }} mb="3">
          404 Page Not Found
        </Box>
        <Box as="p" textStyle="lead" color="fg.muted" mb="7">
          There is no tape in this deck. The converter is where you left it.
        </Box>
        <Button asChild size="lg">
          <Link to="/">Back to the converter</Link>
        </Button>
      </Box>
      <Footer />
    </Page>
  );
}
