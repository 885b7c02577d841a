import { Button, Flex, chakra } from "@chakra-ui/react";
import { useId, useState } from "react";
import type { FormEvent } from "react";
import { MAX_WEBHOOK_ADDRESS } from "../../../../common/webhook-calls.ts";
import type { CreateWebhook } from "../../../../common/webhook-calls.ts";
import { Input } from "../../components/Input.tsx";
import { useWebhookTexts } from "../../texts/webhooks/index.ts";

interface NewWebhookProps {
  readonly onCreate: (input: CreateWebhook) => Promise<boolean>;
  readonly onClose: () => void;
}

/** The form for a new webhook. It closes when the webhook is made. */
export function NewWebhook({ onCreate, onClose }: NewWebhookProps) {
  const [url, setUrl] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const id = useId();
  const texts = useWebhookTexts();

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setIsBusy(true);
    const isMade = await onCreate({ url: url.trim() });
    setIsBusy(false);
    if (isMade) onClose();
  }

  return (
    <form onSubmit={(event) => void submit(event)}>
      <chakra.label htmlFor={id} display="block" mb="2" fontWeight={600}>
        {texts.address}
      </chakra.label>
      <Input
        id={id}
        autoFocus
        autoComplete="off"
        inputMode="url"
        dir="ltr"
        value={url}
        maxLength={MAX_WEBHOOK_ADDRESS}
        placeholder={texts.addressExample}
        onChange={(event) => setUrl(event.target.value)}
        maxW="32rem"
        mb="3"
      />
      <Flex wrap="wrap" gap="2">
        <Button type="submit" disabled={isBusy || url.trim() === ""}>
          {texts.create}
        </Button>
        <Button variant="ghost" onClick={onClose}>
          {texts.cancel}
        </Button>
      </Flex>
    </form>
  );
}
