import { Box, Button, Flex } from "@chakra-ui/react";
import { useEffect, useId, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { DELETE_ACCOUNT_PHRASE } from "../../../../common/account-calls.ts";
import { useUser } from "../../client/stores.ts";
import { Card } from "../../components/Card.tsx";
import { DeletionForm } from "../../components/DeletionForm.tsx";
import { useAccountTexts } from "../../texts/account/index.ts";
import { signInAgain } from "./saved-target.ts";
import { accountActions } from "./account-client.ts";

/** The page with the form open. */
const OPEN_FORM = "/dashboard?delete-account";

/** Asks for a fresh sign-in, after which the form is open again. */
function SignInAgain({ onCancel }: { onCancel: () => void }) {
  const texts = useAccountTexts();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);

  return (
    <Box mt="4" pt="4" borderTop="1px solid {colors.border}">
      <Box role="status" fontSize="sm" mb="2">
        {texts.signInAgainFirst}
      </Box>
      <Flex wrap="wrap" gap="2">
        <Button ref={button} variant="subtle" onClick={() => signInAgain(OPEN_FORM)}>
          {texts.signInAgain}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          {texts.keep}
        </Button>
      </Flex>
    </Box>
  );
}

function DeleteAccountForm({ onCancel }: { onCancel: () => void }) {
  const [needsSignIn, setNeedsSignIn] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const isSubscribed = useUser((state) => Boolean(state.user?.subscription));
  const texts = useAccountTexts();
  const { before, after } = texts.deleteExplained;

  async function confirm(): Promise<void> {
    setIsBusy(true);
    const outcome = await accountActions.deleteAccount();
    setNeedsSignIn(outcome.needsSignIn);
    setIsBusy(false);
  }

  if (needsSignIn) return <SignInAgain onCancel={onCancel} />;

  return (
    <DeletionForm
      mt="4"
      pt="4"
      borderTop="1px solid {colors.border}"
      phrase={DELETE_ACCOUNT_PHRASE}
      around={{ before: isSubscribed ? `${texts.deleteEndsSubscription} ${before}` : before, after }}
      texts={texts}
      fieldHeight="11"
      isBusy={isBusy}
      onConfirm={() => void confirm()}
      onCancel={onCancel}
    />
  );
}

/** Export, sign out everywhere, and delete the account. */
export function AccountSection() {
  const [search] = useSearchParams();
  const [isDeleting, setIsDeleting] = useState(search.has("delete-account"));
  const opener = useRef<HTMLButtonElement>(null);
  const aboutId = useId();
  const texts = useAccountTexts();

  function cancelDeletion(): void {
    setIsDeleting(false);
    opener.current?.focus();
  }

  return (
    <Box as="section" aria-labelledby="account-heading">
      <Box as="h2" id="account-heading" textStyle="heading" mt="11" mb="3.5">
        {texts.title}
      </Box>
      <Card as="div" p="4">
        <Flex wrap="wrap" gap="2">
          <Button asChild variant="outline" size="sm">
            <a href="/api/account/export" download>
              {texts.export}
            </a>
          </Button>
          <Button
            variant="outline"
            size="sm"
            aria-describedby={aboutId}
            onClick={() => void accountActions.signOutEverywhere()}
          >
            {texts.signOutEverywhere}
          </Button>
          <Button
            ref={opener}
            variant="ghost"
            size="sm"
            color="bad"
            _hover={{ color: "bad" }}
            aria-expanded={isDeleting}
            onClick={() => setIsDeleting(!isDeleting)}
          >
            {texts.delete}
          </Button>
        </Flex>
        <Box id={aboutId} textStyle="meta" mt="2">
          {texts.signOutEverywhereAbout}
        </Box>
        {isDeleting && <DeleteAccountForm onCancel={cancelDeletion} />}
      </Card>
    </Box>
  );
}
