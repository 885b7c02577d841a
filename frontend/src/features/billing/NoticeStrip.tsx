/** Strips above a page with the state of the subscription. */
import { Box, Button, Flex } from "@chakra-ui/react";
import type { ReactNode } from "react";
import type { Subscription } from "../../../../common/api.ts";
import { useAnnouncement } from "../../client/announcer.ts";
import { Link } from "../../components/Link.tsx";
import { useFormats, useTexts } from "../../texts/store.ts";
import { ManageBilling } from "./ManageBilling.tsx";
import { STRIP_HEIGHT } from "./strip-height.ts";

/** The subject of the strips' announcements. */
const ABOUT = "billing";

interface StripProps {
  readonly tone?: "quiet" | "bad" | "ok";
  readonly role?: "alert";
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
      // Without an alert the announcer tells screen readers of it, so the status does not speak by itself.
      role={role ?? "status"}
      aria-live={role ? undefined : "off"}
      wrap={{ base: "wrap", sm: "nowrap" }}
      align="center"
      justify="space-between"
      columnGap="4"
      rowGap="2"
      px="4"
      py="2"
      minH={STRIP_HEIGHT}
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
  const more = isLong ? texts.isLong : texts.confirmed;
  useAnnouncement(ABOUT, `${texts.activating} ${more}`);
  return (
    <Strip>
      {texts.activating}{" "}
      <Box as="span" fontWeight={400} color="fg.muted">
        {more}
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

function Paused() {
  const { paused, contactSupport } = useTexts().billing;
  return (
    <Strip
      action={
        <Button asChild size="sm" variant="outline">
          <Link to="/contact">{contactSupport}</Link>
        </Button>
      }
    >
      {paused}
    </Strip>
  );
}

function Active() {
  const { active } = useTexts().billing.strip;
  useAnnouncement(ABOUT, active);
  return <Strip tone="ok">{active}</Strip>;
}

/** Selects the strip, with its data. */
export type BillingNoticeContent =
  | { readonly kind: "activating"; readonly isLong: boolean }
  | { readonly kind: "overdue"; readonly graceEndsAt: string | null; readonly hasPro: boolean }
  | { readonly kind: "ending"; readonly subscription: Subscription }
  | { readonly kind: "paused" }
  | { readonly kind: "active" };

export function NoticeStrip({ content }: { content: BillingNoticeContent }) {
  switch (content.kind) {
    case "activating":
      return <Activating isLong={content.isLong} />;
    case "overdue":
      return <Overdue graceEndsAt={content.graceEndsAt} hasPro={content.hasPro} />;
    case "ending":
      return <Ending subscription={content.subscription} />;
    case "paused":
      return <Paused />;
    case "active":
      return <Active />;
  }
}
