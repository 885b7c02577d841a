import { Box } from "@chakra-ui/react";
import { Suspense, lazy, useEffect } from "react";
import type { ReactNode } from "react";
import type { Subscription } from "../../../../common/api.ts";
import { activation, useActivation, useDevice, useUser } from "../../client/client.ts";
import type { ActivationState } from "../../actions/activation.ts";
import type { Told } from "./NoticeStrip.tsx";
import { STRIP_HEIGHT } from "./strip-height.ts";

/** Most visitors have nothing to be told, and are spared the code. */
const NoticeStrip = lazy(async (): Promise<{ default: (props: { told: Told }) => ReactNode }> => {
  try {
    return { default: (await import("./NoticeStrip.tsx")).NoticeStrip };
  } catch (error) {
    // Without a network the page does without the notice rather than fail for it.
    if (!(error instanceof TypeError)) throw error;
    return { default: () => null };
  }
});

function whatToTell(
  { phase, isLong }: ActivationState,
  subscription: Subscription | null,
  hasPro: boolean,
): Told | null {
  if (phase === "waiting") return { kind: "activating", isLong };
  if (subscription?.status === "past_due") return { kind: "overdue", graceEndsAt: subscription.graceEndsAt, hasPro };
  if (subscription?.status === "paused") return { kind: "paused" };
  if (subscription?.cancelsAtPeriodEnd) return { kind: "ending", subscription };
  return phase === "done" ? { kind: "active" } : null;
}

/** What a person should know about their subscription, if anything; otherwise what stands in its place. */
export function BillingNotice({ otherwise = null }: { otherwise?: ReactNode }) {
  const activationState = useActivation((state) => state);
  const subscription = useUser((state) => state.user?.subscription ?? null);
  const hasPro = useDevice((state) => state.tier === "pro");
  useEffect(() => () => activation.dismiss(), []);

  const told = whatToTell(activationState, subscription, hasPro);
  if (told === null) return otherwise;
  return (
    <Suspense fallback={<Box minH={STRIP_HEIGHT} />}>
      <NoticeStrip told={told} />
    </Suspense>
  );
}
