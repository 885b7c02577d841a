import { chakra } from "@chakra-ui/react";
import { useId, useState } from "react";
import { MAX_WEBHOOK_ADDRESS } from "../../../../common/webhook-calls.ts";
import type { CreateWebhook } from "../../../../common/webhook-calls.ts";
import { Input } from "../../components/Input.tsx";
import { useWebhookTexts } from "../../texts/webhooks/index.ts";
import { NewSecretForm } from "../secrets/NewSecretForm.tsx";

interface NewWebhookProps {
  readonly onCreate: (input: CreateWebhook) => Promise<boolean>;
  readonly onClose: () => void;
}

/** The form for a new webhook. */
export function NewWebhook({ onCreate, onClose }: NewWebhookProps) {
  const [url, setUrl] = useState("");
  const id = useId();
  const texts = useWebhookTexts();

  return (
    <NewSecretForm
      texts={texts}
      isReady={url.trim() !== ""}
      onCreate={() => onCreate({ url: url.trim() })}
      onClose={onClose}
    >
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
    </NewSecretForm>
  );
}
