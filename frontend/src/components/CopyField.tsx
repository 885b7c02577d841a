import { Box, Button, Flex } from "@chakra-ui/react";
import { useEffect, useRef } from "react";
import { Input } from "./Input.tsx";
import { useCopy } from "./use-copy.ts";

interface CopyFieldProps {
  readonly value: string;
  /** Of the field. */
  readonly label: string;
  readonly copyWord: string;
  readonly copiedWord: string;
  /** At first, so that it can be copied by key. */
  readonly isSelected?: boolean;
}

/** An address or a secret that cannot be changed, with a button that copies it. */
export function CopyField({ value, label, copyWord, copiedWord, isSelected = false }: CopyFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, copy] = useCopy(value, field);
  useEffect(() => {
    if (isSelected) field.current?.select();
  }, [isSelected]);
  return (
    <Flex gap="2" align="center">
      <Input
        ref={field}
        readOnly
        value={value}
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
