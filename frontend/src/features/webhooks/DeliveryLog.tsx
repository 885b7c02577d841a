import { Box, chakra } from "@chakra-ui/react";
import type { WebhookDelivery } from "../../../../common/webhook-calls.ts";
import { useFormats } from "../../texts/store.ts";
import { useWebhookTexts } from "../../texts/webhooks/index.ts";
import type { WebhookTexts } from "../../texts/webhooks/en.ts";

/** @returns what came of a message */
function outcomeOf({ state, status, problem, tries }: WebhookDelivery, texts: WebhookTexts): string {
  if (state === "delivered" && status !== null) return texts.taken(status);
  const last = status !== null ? texts.answered(status) : problem !== null ? texts.problems[problem] : texts.notSent;
  return tries > 1 ? `${last} · ${texts.tries(tries)}` : last;
}

/** The last messages of a webhook. */
export function DeliveryLog({ deliveries }: { deliveries: readonly WebhookDelivery[] }) {
  const texts = useWebhookTexts();
  const { dateAndTime } = useFormats();
  if (deliveries.length === 0) return <Box textStyle="meta">{texts.noMessages}</Box>;
  return (
    <chakra.details>
      <chakra.summary textStyle="meta" cursor="pointer" py="2">
        {texts.messages}
      </chakra.summary>
      <chakra.ul listStyleType="none" textStyle="meta">
        {deliveries.map((delivery) => (
          <Box as="li" key={delivery.id} py="1" overflowWrap="anywhere">
            <b>{texts.types[delivery.type]}</b> · {dateAndTime(delivery.createdAt)} ·{" "}
            <Box as="span" color={delivery.state === "failed" ? "bad" : undefined}>
              {outcomeOf(delivery, texts)}
            </Box>
            {delivery.nextTryAt !== null && <> · {texts.nextTry(dateAndTime(delivery.nextTryAt))}</>}
          </Box>
        ))}
      </chakra.ul>
    </chakra.details>
  );
}
