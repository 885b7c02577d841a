import { Box, Flex } from "@chakra-ui/react";
import { useEffect } from "react";
import type { ReactNode } from "react";
import type { Subscription } from "../../../../common/api.ts";
import { activation, useActivation, useDevice, useUser } from "../../app.ts";
import { formatDate } from "../../format.ts";
import { ManageBilling } from "./ManageBilling.tsx";

interface StripProps {
  readonly tone?: "quiet" | "bad" | "ok";
  readonly role?: "status" | "alert";
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

const TONES = {
  quiet: { bg: "surface", borderColor: "border" },
  ok: { bg: "ok.soft", borderColor: "transparent", color: "ok" },
  bad: { bg: "bad.soft", borderColor: "transparent", color: "bad" },
};

function Strip({ tone = "quiet", role, action, children }: StripProps) {
  return (
    <Flex
      data-notice={tone}
      {...(role && { role })}
      wrap={{ base: "wrap", sm: "nowrap" }}
      align="center"
      justify="space-between"
      columnGap="4"
      rowGap="2"
      px="4"
      py="2"
      minH={{ base: "6.5rem", sm: "16" }}
      borderWidth="1px"
      borderStyle="solid"
      borderRadius="lg"
      fontSize="sm"
      fontWeight={600}
      {...TONES[tone]}
    >
      <Box minW="0">{children}</Box>
      {action}
    </Flex>
  );
}

function Activating({ isLong }: { isLong: boolean }) {
  return (
    <Strip role="status">
      Activating Pro…{" "}
      <Box as="span" fontWeight={400} color="fg.muted">
        {isLong
          ? "This takes longer than usual. There is nothing more to pay; Pro appears by itself, here or at your next visit."
          : "The payment was confirmed. Pro appears here in a moment."}
      </Box>
    </Strip>
  );
}

function Overdue({ graceEndsAt, hasPro }: { graceEndsAt: string | null; hasPro: boolean }) {
  const until = graceEndsAt === null ? "" : ` by ${formatDate(graceEndsAt)}`;
  return (
    <Strip tone="bad" role="alert" action={<ManageBilling size="sm">Update card</ManageBilling>}>
      {hasPro
        ? `Your last payment did not go through. Update your card${until} to keep Pro.`
        : "Your last payment did not go through, so Pro has stopped. Update your card to get it back."}
    </Strip>
  );
}

function Ending({ subscription }: { subscription: Subscription }) {
  return (
    <Strip action={<ManageBilling size="sm" />}>
      Pro until {formatDate(subscription.periodEndsAt)}.{" "}
      <Box as="span" fontWeight={400} color="fg.muted">
        Your subscription is cancelled and will not renew.
      </Box>
    </Strip>
  );
}

/** What a person should know about their subscription, if anything; otherwise what stands in its place. */
export function BillingNotice({ otherwise = null }: { otherwise?: ReactNode }) {
  const { phase, isLong } = useActivation((state) => state);
  const subscription = useUser((state) => state.user?.subscription ?? null);
  const hasPro = useDevice((state) => state.tier === "pro");
  useEffect(() => () => activation.dismiss(), []);

  if (phase === "waiting") return <Activating isLong={isLong} />;
  if (subscription?.status === "past_due") return <Overdue graceEndsAt={subscription.graceEndsAt} hasPro={hasPro} />;
  if (subscription?.cancelsAtPeriodEnd) return <Ending subscription={subscription} />;
  if (phase === "done")
    return (
      <Strip tone="ok" role="status">
        Pro is active. Thank you!
      </Strip>
    );
  return otherwise;
}
