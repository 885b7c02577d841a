import { Box, Button, Flex, chakra } from "@chakra-ui/react";
import { useId, useState } from "react";
import type { FormEvent } from "react";
import { DELETE_ACCOUNT_PHRASE } from "../../../../common/api.ts";
import { accountActions, useUser } from "../../app.ts";
import { Card } from "../../components/Card.tsx";

/** Nothing happens before the phrase stands there to the letter. */
function DeleteAccountForm({ onCancel }: { onCancel: () => void }) {
  const [text, setText] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const isSubscribed = useUser((state) => Boolean(state.user?.subscription));
  const id = useId();

  async function confirm(event: FormEvent): Promise<void> {
    event.preventDefault();
    setIsBusy(true);
    await accountActions.deleteAccount();
    setIsBusy(false);
  }

  return (
    <chakra.form mt="4" pt="4" borderTop="1px solid {colors.border}" onSubmit={(event) => void confirm(event)}>
      <chakra.label htmlFor={id} display="block" mb="2" fontSize="sm">
        {isSubscribed && "Your subscription ends at once: nothing more is charged, and Pro is not kept for the rest of the paid period. "}
        Your files go at once, your sign-ins end, and what is stored about you is removed within 30 days. Type{" "}
        <b>{DELETE_ACCOUNT_PHRASE}</b> to confirm.
      </chakra.label>
      <Flex wrap="wrap" gap="2">
        <chakra.input
          id={id}
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
        <Button type="submit" bg="bad" color="surface" _hover={{ bg: "bad" }} disabled={isBusy || text.trim() !== DELETE_ACCOUNT_PHRASE}>
          Delete my account
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          Keep it
        </Button>
      </Flex>
    </chakra.form>
  );
}

/** What people may do with what is stored about them. */
export function AccountSection() {
  const [isDeleting, setIsDeleting] = useState(false);
  return (
    <Box as="section" aria-labelledby="account-heading">
      <Box as="h2" id="account-heading" textStyle="heading" mt="11" mb="3.5">
        Account
      </Box>
      <Card as="div" p="4">
        <Flex wrap="wrap" gap="2">
          <Button asChild variant="outline" size="sm">
            <a href="/api/account/export" download>
              Export my data
            </a>
          </Button>
          <Button variant="outline" size="sm" onClick={() => void accountActions.signOutEverywhere()}>
            Sign out everywhere
          </Button>
          {!isDeleting && (
            <Button variant="ghost" size="sm" color="bad" onClick={() => setIsDeleting(true)}>
              Delete account
            </Button>
          )}
        </Flex>
        {isDeleting && <DeleteAccountForm onCancel={() => setIsDeleting(false)} />}
      </Card>
    </Box>
  );
}
