import { Box, Button, Flex, chakra } from "@chakra-ui/react";
import { useEffect, useId, useRef, useState } from "react";
import type { FormEvent } from "react";
import { DELETE_ACCOUNT_PHRASE } from "../../../../common/api.ts";
import { accountActions, useUser } from "../../client/client.ts";
import { Card } from "../../components/Card.tsx";
import { useTexts } from "../../texts/store.ts";

/** Submits only when the exact phrase is typed. */
function DeleteAccountForm({ onCancel }: { onCancel: () => void }) {
  const [text, setText] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const isSubscribed = useUser((state) => Boolean(state.user?.subscription));
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const texts = useTexts().account;

  async function confirm(event: FormEvent): Promise<void> {
    event.preventDefault();
    setIsBusy(true);
    await accountActions.deleteAccount();
    setIsBusy(false);
  }

  return (
    <chakra.form mt="4" pt="4" borderTop="1px solid {colors.border}" onSubmit={(event) => void confirm(event)}>
      <chakra.label htmlFor={id} display="block" mb="2" fontSize="sm">
        {isSubscribed && `${texts.deleteEndsSubscription} `}
        {texts.deleteExplained.before} <b>{DELETE_ACCOUNT_PHRASE}</b> {texts.deleteExplained.after}
      </chakra.label>
      <Flex wrap="wrap" gap="2">
        <chakra.input
          id={id}
          ref={field}
          value={text}
          autoComplete="off"
          onChange={(event) => setText(event.target.value)}
          flex="1 1 14rem"
          h="11"
          px="4"
          bg="bg.sunken"
          border="1px solid {colors.border}"
          borderRadius="md"
        />
        <Button
          type="submit"
          bg="bad"
          color="surface"
          _hover={{ bg: "bad" }}
          disabled={isBusy || text.trim() !== DELETE_ACCOUNT_PHRASE}
        >
          {texts.deleteForGood}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          {texts.keep}
        </Button>
      </Flex>
    </chakra.form>
  );
}

/** Export, sign out everywhere, and delete the account. */
export function AccountSection() {
  const [isDeleting, setIsDeleting] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const texts = useTexts().account;

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
          <Button variant="outline" size="sm" onClick={() => void accountActions.signOutEverywhere()}>
            {texts.signOutEverywhere}
          </Button>
          <Button
            ref={opener}
            variant="ghost"
            size="sm"
            color="bad"
            aria-expanded={isDeleting}
            onClick={() => setIsDeleting(!isDeleting)}
          >
            {texts.delete}
          </Button>
        </Flex>
        {isDeleting && <DeleteAccountForm onCancel={cancelDeletion} />}
      </Card>
    </Box>
  );
}
