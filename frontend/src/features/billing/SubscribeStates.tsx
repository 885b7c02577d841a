/** What /subscribe shows when there is nothing to pay yet, or nothing to pay at all. */
import { Box, Button, Flex } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { User } from "../../../../common/api.ts";
import { Card } from "../../components/Card.tsx";
import { Footer } from "../../components/Footer.tsx";
import { Page } from "../../components/Page.tsx";
import { formatDate } from "../../format.ts";
import { ManageBilling } from "./ManageBilling.tsx";

/** As high as the window: what comes in its place moves nothing that can be seen. */
export function SettingUp() {
  return (
    <Page>
      <Flex as="main" role="status" direction="column" align="center" justify="center" gap="4" minH="calc(100dvh - 8rem)">
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
          Setting up your subscription...
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
        <Card maxW="32rem" mx="auto" p={{ base: "5", sm: "7" }} {...(role && { role })}>
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

const Home = ({ children = "Back to the converter" }: { children?: string }) => (
  <Button asChild variant="ghost">
    <Link to="/">{children}</Link>
  </Button>
);

export function Unconfigured() {
  return (
    <Panel
      title="Payment system configuration error"
      role="alert"
      actions={
        <>
          <Button asChild>
            <Link to="/contact">Contact Support</Link>
          </Button>
          <Home />
        </>
      }
    >
      Payments are not set up on this server, so nothing can be bought and nothing was charged. Everything else works. Please tell our support.
    </Panel>
  );
}

export function NoSecret() {
  return (
    <Panel
      title="Failed to initialize payment. Please try again."
      role="alert"
      actions={
        <Button asChild>
          <Link to="/plans">Go Back</Link>
        </Button>
      }
    >
      Nothing was charged.
    </Panel>
  );
}

/** @param refusal what the server said when asked nevertheless; it may know of more than is shown here yet */
export function AlreadySubscribed({ user, refusal }: { user: User; refusal: string | null }) {
  const { subscription, tier } = user;
  const granted = "It was given to your account, so there is nothing to pay.";
  return (
    <Panel
      title={tier === "pro" ? "You already have Pro" : subscription ? "You already have a subscription" : "Nothing more to pay"}
      actions={
        <>
          {subscription && <ManageBilling variant="solid" />}
          <Home />
        </>
      }
    >
      {subscription ? tellState(subscription) : (refusal ?? granted)}
    </Panel>
  );
}

function tellState({ plan, status, cancelsAtPeriodEnd, periodEndsAt }: NonNullable<User["subscription"]>): string {
  const date = formatDate(periodEndsAt);
  if (status === "past_due") return `Your ${plan} plan waits for a payment that did not go through. Update your card under Manage billing.`;
  const course = cancelsAtPeriodEnd ? `is cancelled and lasts until ${date}` : `renews on ${date}`;
  return `Your ${plan} plan ${course}. Card, invoices and cancelling are behind Manage billing.`;
}

/** Paid already, and not yet active. */
export function StillActivating() {
  return (
    <Panel title="Your payment was confirmed" actions={<Home>Go to the converter</Home>}>
      Pro is being activated and appears by itself. There is nothing more to pay.
    </Panel>
  );
}
