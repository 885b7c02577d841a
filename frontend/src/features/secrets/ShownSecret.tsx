import { Box, Button, Flex } from "@chakra-ui/react";
import { useEffect, useId, useRef } from "react";
import type { ReactNode } from "react";
import { Input } from "../../components/Input.tsx";
import { useCopy } from "../../components/use-copy.ts";
import type { SecretTexts } from "./secret-texts.ts";

interface ShownSecretProps {
  readonly secret: string;
  readonly texts: Pick<SecretTexts, "copyNow" | "copy" | "copied" | "done">;
  /** What else can be done with it. */
  readonly more?: ReactNode;
  readonly onClose: () => void;
}

/** A new secret. It is nowhere else, so it stays until the visitor closes it. */
export function ShownSecret({ secret, texts, more, onClose }: ShownSecretProps) {
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, copy] = useCopy(secret, field);
  const id = useId();
  useEffect(() => field.current?.select(), []);

  return (
    <Box
      p="4"
      borderTop="1px solid {colors.border}"
      bg="ok.soft"
      css={{ "&:last-child": { borderBottomRadius: "inherit" } }}
    >
      <Box as="label" display="block" mb="2" fontWeight={600} {...{ htmlFor: id }}>
        {texts.copyNow}
      </Box>
      <Flex wrap="wrap" gap="2">
        <Input id={id} ref={field} readOnly value={secret} dir="ltr" flex="1 1 16rem" w="auto" fontFamily="mono" />
        <Button variant="outline" onClick={() => void copy()}>
          {isCopied ? texts.copied : texts.copy}
        </Button>
        {more}
        <Button variant="ghost" onClick={onClose}>
          {texts.done}
        </Button>
      </Flex>
      <Box role="status" srOnly>
        {isCopied && texts.copied}
      </Box>
    </Box>
  );
}
