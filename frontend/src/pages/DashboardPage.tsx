import { Box, Button, Flex, SimpleGrid } from "@chakra-ui/react";
import { Link } from "react-router";
import type { User } from "../../../common/api.ts";
import { Footer } from "../components/Footer.tsx";
import { Page } from "../components/Page.tsx";
import { AccountSection } from "../features/account/AccountSection.tsx";
import { FigureCard } from "../features/account/FigureCard.tsx";
import { RecentConversions } from "../features/account/RecentConversions.tsx";
import { tellData, useUsage } from "../features/account/use-usage.ts";
import { SignedIn } from "../features/account/ways.tsx";
import { BillingNotice } from "../features/billing/BillingNotice.tsx";
import { ManageBilling } from "../features/billing/ManageBilling.tsx";
import { formatDate } from "../format.ts";
import { nameOf } from "../stores/user.ts";
import { useTitle } from "../title.ts";

/** What becomes of the subscription when its paid period ends. */
function tellPeriod({ subscription }: User): string | undefined {
  if (!subscription || subscription.status === "past_due") return undefined;
  const date = formatDate(subscription.periodEndsAt);
  return subscription.cancelsAtPeriodEnd ? `Until ${date}` : `Renews on ${date}`;
}

function Dashboard({ user }: { user: User }) {
  const usage = useUsage();
  return (
    <Page>
      <main>
        <BillingNotice />
        <Flex wrap="wrap" align="end" justify="space-between" gap="4" mt={{ base: "7", sm: "10" }} mb="6">
          <Box as="h1" textStyle="heading" fontSize="2xl" overflowWrap="anywhere">
            Welcome, {nameOf(user)}
          </Box>
          <Flex wrap="wrap" gap="2">
            {user.subscription && <ManageBilling />}
            <Button asChild>
              <Link to="/">Converter</Link>
            </Button>
            <Button asChild variant="outline">
              <a href="/api/logout">Logout</a>
            </Button>
          </Flex>
        </Flex>
        <SimpleGrid columns={{ base: 1, sm: 3 }} gap="4">
          <FigureCard name="Total Conversions" figure={usage?.totalConversions ?? 0} remark="This month" />
          <FigureCard name="Data Used" figure={tellData(usage)} remark="This month" />
          <FigureCard name="Account Status" figure={user.tier === "pro" ? "Pro" : "Free"} remark={tellPeriod(user)} />
        </SimpleGrid>
        <RecentConversions converterPath="/" />
        <AccountSection />
      </main>
      <Footer />
    </Page>
  );
}

export function DashboardPage() {
  useTitle("Dashboard");
  return <SignedIn>{(user) => <Dashboard user={user} />}</SignedIn>;
}
