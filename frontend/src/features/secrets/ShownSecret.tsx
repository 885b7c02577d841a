import { Box, Button, Flex } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { CopyField } from "../../components/CopyField.tsx";
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
  return (
    <Box
      p="4"
      borderTop="1px solid {colors.border}"
      bg="ok.soft"
      css={{ "&:last-child": { borderBottomRadius: "inherit" } }}
    >
      <Box mb="2" fontWeight={600}>
        {texts.copyNow}
      </Box>
      <CopyField value={secret} label={texts.copyNow} copyWord={texts.copy} copiedWord={texts.copied} isSelected />
      <Flex wrap="wrap" gap="2" mt="3">
        {more}
        <Button variant="ghost" onClick={onClose}>
          {texts.done}
        </Button>
      </Flex>
    </Box>
  );
}
