import { Button, Flex } from "@chakra-ui/react";
import { useState } from "react";
import type { FormEvent, ReactNode } from "react";

interface NewSecretFormProps {
  /** The fields. */
  readonly children: ReactNode;
  readonly texts: { readonly create: string; readonly cancel: string };
  /** Whether the fields are filled in. */
  readonly isReady: boolean;
  /** @returns whether it was made */
  readonly onCreate: () => Promise<boolean>;
  readonly onClose: () => void;
}

/** A form for a new thing with a secret. It closes when the thing is made. */
export function NewSecretForm({ children, texts, isReady, onCreate, onClose }: NewSecretFormProps) {
  const [isBusy, setIsBusy] = useState(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setIsBusy(true);
    const isMade = await onCreate();
    setIsBusy(false);
    if (isMade) onClose();
  }

  return (
    <form onSubmit={(event) => void submit(event)}>
      {children}
      <Flex wrap="wrap" gap="2">
        <Button type="submit" variant="subtle" disabled={isBusy || !isReady}>
          {texts.create}
        </Button>
        <Button variant="ghost" onClick={onClose}>
          {texts.cancel}
        </Button>
      </Flex>
    </form>
  );
}
