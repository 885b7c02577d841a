import { Box } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { Suspense } from "react";
import { Footer } from "./Footer.tsx";
import { Page } from "./Page.tsx";
import { Skeleton } from "../Skeleton.tsx";

/** Heading and lead of a text page. */
export function TextHead({ title, lead }: { title: string; lead: string }) {
  return (
    <>
      <Box
        as="h1"
        textStyle="display"
        fontSize={{ base: "2xl", sm: "display" }}
        mt={{ base: "6", sm: "10" }}
        mb="3"
        overflowWrap="anywhere"
      >
        {title}
      </Box>
      <Box as="p" textStyle="lead" color="fg.muted" maxW="60ch" mb={{ base: "6", sm: "8" }}>
        {lead}
      </Box>
    </>
  );
}

/** Placeholder as high as the window while the text loads, so that nothing visible moves. */
function LoadingText() {
  return (
    <Box minH="100dvh" aria-busy="true" pt={{ base: "6", sm: "10" }}>
      <Skeleton h="12" maxW="22rem" mb="4" />
      <Skeleton h="5" maxW="34rem" />
    </Box>
  );
}

export function TextColumn({ children }: { children: ReactNode }) {
  return (
    <Page>
      <Box as="main" minH="70vh">
        <Suspense fallback={<LoadingText />}>{children}</Suspense>
      </Box>
      <Footer />
    </Page>
  );
}
