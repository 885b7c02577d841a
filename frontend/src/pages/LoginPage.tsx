import { Box, Button, chakra } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { SignInError } from "../../../common/api.ts";
import { useDevice } from "../client/client.ts";
import { Card } from "../components/Card.tsx";
import { Footer } from "../components/layout/Footer.tsx";
import { Page } from "../components/layout/Page.tsx";
import { useTexts } from "../texts/store.ts";
import { useHead } from "../platform/use-head.ts";
import { useTitle } from "./use-title.ts";

export function LoginPage() {
  useTitle("login");
  useHead({ description: useTexts().descriptions.login });
  const texts = useTexts().login;
  const [search] = useSearchParams();
  const error = SignInError.safeParse(search.get("error"));
  const isUnavailable = useDevice((state) => state.config?.signInAvailable === false);
  const [isBusy, setIsBusy] = useState(false);

  useEffect(() => {
    // The back button restores the page from the back/forward cache in its busy state.
    const reset = () => setIsBusy(false);
    window.addEventListener("pageshow", reset);
    return () => window.removeEventListener("pageshow", reset);
  }, []);

  function signIn(): void {
    setIsBusy(true);
    window.location.assign("/api/login");
  }

  return (
    <Page>
      <Box as="main" minH="60vh" pt={{ base: "7", sm: "12" }}>
        <Card maxW="26rem" mx="auto" p={{ base: "5", sm: "7" }}>
          <Box as="h1" textStyle="heading" mb="2">
            {texts.title}
          </Box>
          <Box as="p" textStyle="meta" mb="5">
            {texts.text}
          </Box>
          {(error.success || isUnavailable) && (
            <Box
              role="alert"
              bg="bad.soft"
              color="bad"
              borderRadius="md"
              px="4"
              py="3"
              mb="5"
              fontSize="sm"
              fontWeight={600}
            >
              {error.success ? texts.errors[error.data] : texts.notSetUp}
            </Box>
          )}
          <chakra.label display="block" fontSize="sm" fontWeight={600} htmlFor="password" mb="1.5">
            {texts.password}
          </chakra.label>
          <chakra.input
            id="password"
            type="password"
            disabled
            placeholder={texts.passwordHint}
            w="full"
            h="12"
            px="4"
            mb="4"
            bg="bg.sunken"
            border="1px solid {colors.border}"
            borderRadius="md"
            cursor="not-allowed"
          />
          <Button size="lg" w="full" aria-busy={isBusy} disabled={isBusy || isUnavailable} onClick={signIn}>
            {isBusy ? texts.signingIn : texts.signIn}
          </Button>
          <Button asChild variant="ghost" w="full" mt="2">
            <Link to="/">{texts.back}</Link>
          </Button>
        </Card>
      </Box>
      <Footer />
    </Page>
  );
}
