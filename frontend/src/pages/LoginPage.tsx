import { Box, Button, chakra } from "@chakra-ui/react";
import { useSearchParams } from "react-router";
import { SignInError } from "../../../common/account-calls.ts";
import { useDevice } from "../client/stores.ts";
import { Card } from "../components/Card.tsx";
import { Link } from "../components/Link.tsx";
import { Footer } from "../components/layout/Footer.tsx";
import { Page } from "../components/layout/Page.tsx";
import { useIsHydrated } from "../components/use-is-hydrated.ts";
import { useBusy } from "../components/use-busy.ts";
import { MAX_BATCH_LINKS } from "../stores/batch.ts";
import { useLoginTexts } from "../texts/login/index.ts";
import { useHead } from "../platform/use-head.ts";
import { useTitle } from "./use-title.ts";

/** Shows why a sign-in has failed or cannot start. */
function SignInProblem({ children }: { children: string }) {
  return (
    <Box role="alert" bg="bad.soft" color="bad" borderRadius="md" px="4" py="3" mb="5" fontSize="sm" fontWeight={600}>
      {children}
    </Box>
  );
}

/** A disabled field: the identity provider's page has the real one. */
function PasswordField() {
  const texts = useLoginTexts();
  return (
    <>
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
    </>
  );
}

export function LoginPage() {
  const texts = useLoginTexts();
  useTitle(texts.title);
  useHead({ description: texts.description(MAX_BATCH_LINKS) });
  const [search] = useSearchParams();
  // The prerendered page is the same for every query.
  const isHydrated = useIsHydrated();
  const error = SignInError.safeParse(isHydrated ? search.get("error") : null);
  const isUnavailable = useDevice((state) => state.config?.signInAvailable === false);
  const { isBusy, setIsBusy } = useBusy();

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
            <SignInProblem>{error.success ? texts.errors[error.data] : texts.notSetUp}</SignInProblem>
          )}
          <PasswordField />
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
