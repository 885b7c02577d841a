import { Box } from "@chakra-ui/react";
import { Suspense, lazy, useEffect } from "react";
import type { ReactNode } from "react";
import type { Subscription } from "../../../../common/api.ts";
import { activationStore, useActivation } from "../../client/billing.ts";
import { useDevice, useUser } from "../../client/stores.ts";
import { dismissActivation } from "../../stores/activation.ts";
import type { ActivationState } from "../../stores/activation.ts";
import type { BillingNoticeContent } from "./NoticeStrip.tsx";
import { STRIP_HEIGHT } from "./strip-height.ts";

/** Loaded on demand, because most visitors have no notice. */
const NoticeStrip = lazy(async (): Promise<{ default: (props: { content: BillingNoticeContent }) => ReactNode }> => {
  try {
    return { default: (await import("./NoticeStrip.tsx")).NoticeStrip };
  } catch (error) {
    // Offline the notice is missing, but the page works.
    if (!(error instanceof TypeError)) throw error;
    return { default: () => null };
  }
});

function contentFor(
  { phase, isLong }: ActivationState,
  subscription: Subscription | null,
  hasPro: boolean,
): BillingNoticeContent | null {
  if (phase === "waiting") return { kind: "activating", isLong };
  if (subscription?.status === "past_due") return { kind: "overdue", graceEndsAt: subscription.graceEndsAt, hasPro };
  if (subscription?.status === "paused") return { kind: "paused" };
  if (subscription?.cancelsAtPeriodEnd) return { kind: "ending", subscription };
  return phase === "done" ? { kind: "active" } : null;
}

/** A notice about the user's subscription, or `fallback` without one. */
export function BillingNotice({ fallback = null }: { fallback?: ReactNode }) {
  const activationState = useActivation((state) => state);
  const subscription = useUser((state) => state.user?.subscription ?? null);
  const hasPro = useDevice((state) => state.tier === "pro");
  useEffect(() => () => dismissActivation(activationStore), []);

  const content = contentFor(activationState, subscription, hasPro);
  if (content === null) return fallback;
  return (
    <Suspense fallback={<Box minH={STRIP_HEIGHT} />}>
      <NoticeStrip content={content} />
    </Suspense>
  );
}
