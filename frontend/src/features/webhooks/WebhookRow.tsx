import { Box, Button, Flex } from "@chakra-ui/react";
import { useState } from "react";
import type { Webhook } from "../../../../common/webhook-calls.ts";
import { useWebhookTexts } from "../../texts/webhooks/index.ts";
import { RevokeButton } from "../secrets/RevokeButton.tsx";
import { DeliveryLog } from "./DeliveryLog.tsx";
import { enableWebhook, testWebhook, webhooks } from "./webhook-store.ts";

interface RowProps {
  readonly webhook: Webhook;
  /** Whether the plan has fewer webhooks, so that this one gets nothing. */
  readonly needsPro: boolean;
}

/** A webhook with its last messages. */
export function WebhookRow({ webhook, needsPro }: RowProps) {
  const [isBusy, setIsBusy] = useState(false);
  const texts = useWebhookTexts();
  const { id, url, disabledReason, deliveries } = webhook;
  const state = disabledReason === null ? (needsPro ? texts.needsPro : undefined) : texts.disabled[disabledReason];
  const lastTest = deliveries[0]?.type === "test" ? deliveries[0] : undefined;

  async function during(task: (id: string) => Promise<boolean>): Promise<void> {
    setIsBusy(true);
    await task(id);
    setIsBusy(false);
  }

  return (
    <Box as="li" data-webhook={id} py="3" px="4" css={{ "& + &": { borderTop: "1px solid {colors.border}" } }}>
      <Flex wrap="wrap" align="center" gap="3">
        <Box flex="1 1 14rem" minW="0">
          <Box fontWeight={600} overflowWrap="anywhere" dir="ltr" _rtl={{ textAlign: "right" }}>
            {url}
          </Box>
          {state !== undefined && <Box color={disabledReason === null ? "fg.muted" : "bad"}>{state}</Box>}
        </Box>
        <Flex wrap="wrap" gap="2">
          {disabledReason !== null && (
            <Button size="sm" variant="outline" disabled={isBusy} onClick={() => void during(enableWebhook)}>
              {texts.enable}
            </Button>
          )}
          <Button size="sm" variant="outline" disabled={isBusy} onClick={() => void during(testWebhook)}>
            {texts.test}
          </Button>
          <RevokeButton name={url} texts={texts} onRevoke={() => webhooks.remove(id)} />
        </Flex>
      </Flex>
      <Box role="status" textStyle="meta">
        {lastTest && (lastTest.state === "delivered" ? texts.testTaken : texts.testFailed)}
      </Box>
      <DeliveryLog deliveries={deliveries} />
    </Box>
  );
}
