import { Box, Button, Flex } from "@chakra-ui/react";
import { useState } from "react";
import type { Token } from "../../../../common/token-calls.ts";
import { useFormats } from "../../texts/store.ts";
import { useTokenTexts } from "../../texts/tokens/index.ts";

interface RowProps {
  readonly token: Token;
  readonly onRevoke: () => Promise<boolean>;
}

/** A token with what it may do. To revoke it takes two presses, because programs stop working by that. */
export function TokenRow({ token, onRevoke }: RowProps) {
  const [isAsking, setIsAsking] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const texts = useTokenTexts();
  const { dayOf } = useFormats();

  async function revoke(): Promise<void> {
    setIsBusy(true);
    const isRevoked = await onRevoke();
    if (!isRevoked) setIsBusy(false);
  }

  return (
    <Flex
      as="li"
      data-token={token.id}
      wrap="wrap"
      align="center"
      gap="3"
      py="3"
      px="4"
      css={{ "& + &": { borderTop: "1px solid {colors.border}" } }}
    >
      <Box flex="1 1 14rem" minW="0">
        <Box fontWeight={600} overflowWrap="anywhere" dir="auto" _rtl={{ textAlign: "right" }}>
          {token.name}
        </Box>
        <Box textStyle="meta">
          {token.scopes.map((scope) => texts.scopes[scope].name).join(", ")} · <bdi>{`…${token.ending}`}</bdi> ·{" "}
          {token.lastUsedAt === null ? texts.neverUsed : texts.lastUsed(dayOf(token.lastUsedAt))}
        </Box>
      </Box>
      {isAsking ? (
        <Flex wrap="wrap" gap="2">
          <Button autoFocus size="sm" variant="outline" color="bad" disabled={isBusy} onClick={() => void revoke()}>
            {texts.revokeForGood}
          </Button>
          <Button size="sm" variant="ghost" onClick={() => setIsAsking(false)}>
            {texts.keep}
          </Button>
        </Flex>
      ) : (
        <Button size="sm" variant="ghost" aria-label={texts.revokeNamed(token.name)} onClick={() => setIsAsking(true)}>
          {texts.revoke}
        </Button>
      )}
    </Flex>
  );
}
