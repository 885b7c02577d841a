import { Box, Flex } from "@chakra-ui/react";
import type { Token } from "../../../../common/token-calls.ts";
import { useFormats } from "../../texts/store.ts";
import { useTokenTexts } from "../../texts/tokens/index.ts";
import { RevokeButton } from "../secrets/RevokeButton.tsx";

interface RowProps {
  readonly token: Token;
  readonly onRevoke: () => Promise<boolean>;
}

/** A token with what it may do. */
export function TokenRow({ token, onRevoke }: RowProps) {
  const texts = useTokenTexts();
  const { dayOf } = useFormats();
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
      <RevokeButton name={token.name} texts={texts} onRevoke={onRevoke} />
    </Flex>
  );
}
