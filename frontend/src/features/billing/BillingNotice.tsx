import { Box, Flex } from "@chakra-ui/react";
import { useEffect } from "react";
import type { ReactNode } from "react";
import type { Subscription } from "../../../../common/api.ts";
import { activation, useActivation, useDevice, useUser } from "../../app.ts";
import { useFormats, useTexts } from "../../texts/store.ts";
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
  const texts = useTexts().billing.strip;
  return (
    <Strip role="status">
      {texts.activating}{" "}
      <Box as="span" fontWeight={400} color="fg.muted">
        {isLong ? texts.isLong : texts.confirmed}
      </Box>
    </Strip>
  );
}

function Overdue({ graceEndsAt, hasPro }: { graceEndsAt: string | null; hasPro: boolean }) {
  const { updateCard, strip: texts } = useTexts().billing;
  const formats = useFormats();
  const toKeep = graceEndsAt === null ? texts.overdue : texts.overdueBy(formats.dayOf(graceEndsAt));
  return (
    <Strip tone="bad" role="alert" action={<ManageBilling size="sm">{updateCard}</ManageBilling>}>
      {hasPro ? toKeep : texts.stopped}
    </Strip>
  );
}

function Ending({ subscription }: { subscription: Subscription }) {
  const texts = useTexts().billing.strip;
  const formats = useFormats();
  return (
    <Strip action={<ManageBilling size="sm" />}>
      {texts.until(formats.dayOf(subscription.periodEndsAt))}{" "}
      <Box as="span" fontWeight={400} color="fg.muted">
        {texts.cancelled}
      </Box>
    </Strip>
  );
}

/** What a person should know about their subscription, if anything; otherwise what stands in its place. */
export function BillingNotice({ otherwise = null }: { otherwise?: ReactNode }) {
  const { phase, isLong } = useActivation((state) => state);
  const subscription = useUser((state) => state.user?.subscription ?? null);
  const hasPro = useDevice((state) => state.tier === "pro");
  const texts = useTexts().billing;
  useEffect(() => () => activation.dismiss(), []);

  if (phase === "waiting") return <Activating isLong={isLong} />;
  if (subscription?.status === "past_due") return <Overdue graceEndsAt={subscription.graceEndsAt} hasPro={hasPro} />;
  if (subscription?.cancelsAtPeriodEnd) return <Ending subscription={subscription} />;
  if (phase === "done")
    return (
      <Strip tone="ok" role="status">
        {texts.strip.active}
      </Strip>
    );
  return otherwise;
}
