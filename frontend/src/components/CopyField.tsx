import { Box, Button, Flex } from "@chakra-ui/react";
import { useRef } from "react";
import { Input } from "./Input.tsx";
import { useCopy } from "./use-copy.ts";

interface CopyFieldProps {
  readonly address: string;
  /** Of the field. */
  readonly label: string;
  readonly copyWord: string;
  readonly copiedWord: string;
}

/** An address that cannot be changed, with a button that copies it. */
export function CopyField({ address, label, copyWord, copiedWord }: CopyFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, copy] = useCopy(address, field);
  return (
    <Flex gap="2" align="center">
      <Input
        ref={field}
        readOnly
        value={address}
        aria-label={label}
        dir="ltr"
        flex="1"
        minW="0"
        fontFamily="mono"
        fontSize="sm"
        onFocus={(event) => event.target.select()}
      />
      <Button variant="outline" flexShrink={0} onClick={() => void copy()}>
        {isCopied ? copiedWord : copyWord}
      </Button>
      <Box role="status" srOnly>
        {isCopied && copiedWord}
      </Box>
    </Flex>
  );
}
