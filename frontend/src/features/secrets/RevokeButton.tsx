import { Button, Flex } from "@chakra-ui/react";
import { useState } from "react";
import type { SecretTexts } from "./secret-texts.ts";

interface RevokeButtonProps {
  /** Tells screen readers what is removed. */
  readonly name: string;
  readonly texts: Pick<SecretTexts, "revoke" | "revokeNamed" | "revokeForGood" | "keep">;
  readonly onRevoke: () => Promise<boolean>;
}

/** Takes two presses, because programs stop working by that. */
export function RevokeButton({ name, texts, onRevoke }: RevokeButtonProps) {
  const [isAsking, setIsAsking] = useState(false);
  const [isBusy, setIsBusy] = useState(false);

  async function revoke(): Promise<void> {
    setIsBusy(true);
    const isRevoked = await onRevoke();
    if (!isRevoked) setIsBusy(false);
  }

  if (!isAsking)
    return (
      <Button size="sm" variant="ghost" aria-label={texts.revokeNamed(name)} onClick={() => setIsAsking(true)}>
        {texts.revoke}
      </Button>
    );
  return (
    <Flex wrap="wrap" gap="2">
      <Button autoFocus size="sm" variant="outline" color="bad" disabled={isBusy} onClick={() => void revoke()}>
        {texts.revokeForGood}
      </Button>
      <Button size="sm" variant="ghost" onClick={() => setIsAsking(false)}>
        {texts.keep}
      </Button>
    </Flex>
  );
}
