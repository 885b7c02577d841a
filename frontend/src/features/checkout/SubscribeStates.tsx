/** The states of /subscribe without a payment form. */
import { Box, Button, Flex } from "@chakra-ui/react";
import type { ReactNode } from "react";
import type { Subscription, User } from "../../../../common/api.ts";
import { Card } from "../../components/Card.tsx";
import { Link } from "../../components/Link.tsx";
import { Footer } from "../../components/layout/Footer.tsx";
import { Page } from "../../components/layout/Page.tsx";
import type { Formats } from "../../texts/format.ts";
import type { Texts } from "../../texts/en.ts";
import { useFormats, useTexts } from "../../texts/store.ts";
import type { SubscribeTexts } from "../../texts/subscribe/en.ts";
import { useSubscribeTexts } from "../../texts/subscribe/index.ts";
import { ManageBilling } from "../billing/ManageBilling.tsx";

/** As high as the window, so that nothing visible moves when it is replaced. */
export function SettingUp() {
  const texts = useSubscribeTexts().states;
  return (
    <Page>
      <Flex
        as="main"
        role="status"
        direction="column"
        align="center"
        justify="center"
        gap="4"
        minH="calc(100dvh - 8rem)"
      >
        <Box
          aria-hidden
          boxSize="8"
          borderRadius="full"
          border="3px solid {colors.border}"
          borderTopColor="accent"
          animation="reel 900ms linear infinite"
          _motionReduce={{ animation: "breathe 1.6s ease-in-out infinite" }}
        />
        <Box textStyle="lead" color="fg.muted">
          {texts.settingUp}
        </Box>
      </Flex>
    </Page>
  );
}

interface PanelProps {
  readonly title: string;
  readonly role?: "alert";
  readonly actions: ReactNode;
  readonly children?: ReactNode;
}

function Panel({ title, role, actions, children }: PanelProps) {
  return (
    <Page>
      <Box as="main" minH="60vh" pt={{ base: "7", sm: "12" }}>
        <Card maxW="32rem" mx="auto" p={{ base: "5", sm: "7" }} role={role}>
          <Box as="h1" textStyle="heading" mb="2" textWrap="balance">
            {title}
          </Box>
          <Box color="fg.muted" mb="5">
            {children}
          </Box>
          <Flex wrap="wrap" gap="2">
            {actions}
          </Flex>
        </Card>
      </Box>
      <Footer />
    </Page>
  );
}

const HomeButton = ({ children }: { children: string }) => (
  <Button asChild variant="ghost">
    <Link to="/">{children}</Link>
  </Button>
);

export function Unconfigured() {
  const { back, unconfigured: texts } = useSubscribeTexts().states;
  const { contactSupport } = useTexts().billing;
  return (
    <Panel
      title={texts.title}
      role="alert"
      actions={
        <>
          <Button asChild>
            <Link to="/contact">{contactSupport}</Link>
          </Button>
          <HomeButton>{back}</HomeButton>
        </>
      }
    >
      {texts.text}
    </Panel>
  );
}

export function NoSecret() {
  const { noSecret: texts } = useSubscribeTexts().states;
  return (
    <Panel
      title={texts.title}
      role="alert"
      actions={
        <Button asChild>
          <Link to="/plans">{texts.back}</Link>
        </Button>
      }
    >
      {texts.text}
    </Panel>
  );
}

/**
 * Shows the subscription, or why there is nothing to pay.
 * @param refusal the server's refusal, if any; it may be newer than the shown subscription
 */
export function AlreadySubscribed({ user, refusal }: { user: User; refusal: string | null }) {
  const { subscription, tier } = user;
  const { billing } = useTexts();
  const formats = useFormats();
  const { states: texts } = useSubscribeTexts();
  return (
    <Panel
      title={tier === "pro" ? texts.hasPro : subscription ? texts.hasSubscription : texts.nothingToPay}
      actions={
        <>
          {subscription?.status === "paused" ? (
            <Button asChild>
              <Link to="/contact">{billing.contactSupport}</Link>
            </Button>
          ) : (
            subscription && <ManageBilling variant="solid" />
          )}
          <HomeButton>{texts.back}</HomeButton>
        </>
      }
    >
      {subscription ? stateText(subscription, billing, texts, formats) : (refusal ?? texts.granted)}
    </Panel>
  );
}

function stateText(
  { plan, status, cancelsAtPeriodEnd, periodEndsAt }: Subscription,
  { plans, paused }: Texts["billing"],
  states: SubscribeTexts["states"],
  formats: Formats,
): string {
  const { yours } = plans[plan];
  if (status === "paused") return paused;
  if (status === "past_due") return states.overdue(yours);
  return (cancelsAtPeriodEnd ? states.ends : states.renews)(yours, formats.dayOf(periodEndsAt));
}

/** The payment is confirmed, but Pro is not active yet. */
export function StillActivating() {
  const { activating: texts } = useSubscribeTexts().states;
  return (
    <Panel title={texts.title} actions={<HomeButton>{texts.go}</HomeButton>}>
      {texts.text}
    </Panel>
  );
}
