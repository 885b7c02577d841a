/** The dashboard's section where people make, test and remove webhooks. */
import { useStore } from "zustand";
import { TIERS } from "../../../../common/tiers.ts";
import type { Tier } from "../../../../common/tiers.ts";
import { useWebhookTexts } from "../../texts/webhooks/index.ts";
import { SecretSection } from "../secrets/SecretSection.tsx";
import { NewWebhook } from "./NewWebhook.tsx";
import { webhooks } from "./webhook-store.ts";
import { WebhookRow } from "./WebhookRow.tsx";

export function WebhookSection({ tier }: { tier: Tier }) {
  const texts = useWebhookTexts();
  const count = useStore(webhooks.view, ({ items }) => items.length);
  const maximum = TIERS[tier].maxWebhooks;
  return (
    <SecretSection
      id="webhooks-heading"
      store={webhooks}
      texts={texts}
      tier={tier}
      maximum={maximum}
      // The newest one is first, and the oldest ones are those that go on working.
      renderRow={(webhook, index) => (
        <WebhookRow key={webhook.id} webhook={webhook} needsPro={count - index > maximum} />
      )}
      renderForm={(onClose) => <NewWebhook onCreate={webhooks.create} onClose={onClose} />}
    />
  );
}
