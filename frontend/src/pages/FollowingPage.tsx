import { Box } from "@chakra-ui/react";
import { Footer } from "../components/layout/Footer.tsx";
import { Page } from "../components/layout/Page.tsx";
import { SignedIn } from "../features/account/access.tsx";
import { Follows } from "../features/follows/Follows.tsx";
import { useHead } from "../platform/use-head.ts";
import { useFollowTexts } from "../texts/follows/index.ts";
import { useTitle } from "./use-title.ts";

export function FollowingPage() {
  const texts = useFollowTexts();
  useTitle(texts.title);
  useHead({ description: texts.description, isPrivate: true });
  return (
    <SignedIn>
      {({ tier }) => (
        <Page>
          <main>
            <Box as="h1" textStyle="heading" fontSize="2xl" mt={{ base: "7", sm: "10" }} mb="1.5">
              {texts.title}
            </Box>
            <Box textStyle="meta" mb="6">
              {texts.about}
            </Box>
            <Follows tier={tier} />
          </main>
          <Footer />
        </Page>
      )}
    </SignedIn>
  );
}
