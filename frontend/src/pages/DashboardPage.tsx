import { Box, Button, Flex } from "@chakra-ui/react";
import type { User } from "../../../common/api.ts";
import { Link } from "../components/Link.tsx";
import { Footer } from "../components/layout/Footer.tsx";
import { Page } from "../components/layout/Page.tsx";
import { AccountSection } from "../features/account/AccountSection.tsx";
import { FigureCard, FigureCards } from "../features/account/FigureCard.tsx";
import { RecentConversions } from "../features/account/RecentConversions.tsx";
import { UsageByDay } from "../features/account/UsageByDay.tsx";
import { useDataUsed, useUsage } from "../features/account/use-usage.ts";
import { SignedIn } from "../features/account/access.tsx";
import { FeedSection } from "../features/feed/FeedSection.tsx";
import { TokenSection } from "../features/tokens/TokenSection.tsx";
import { WebhookSection } from "../features/webhooks/WebhookSection.tsx";
import { BillingNotice } from "../features/billing/BillingNotice.tsx";
import { ManageBilling } from "../features/billing/ManageBilling.tsx";
import { useMainDownload } from "../features/queue/use-jobs.ts";
import type { Formats } from "../texts/format.ts";
import { nameOf } from "../stores/user.ts";
import type { Texts } from "../texts/en.ts";
import { useAccountTexts } from "../texts/account/index.ts";
import { useFormats, useTexts } from "../texts/store.ts";
import { useHead } from "../platform/use-head.ts";
import { useTitle } from "./use-title.ts";

/** @returns when the subscription renews or ends */
function periodText({ subscription }: User, texts: Texts["billing"], formats: Formats): string | undefined {
  if (!subscription || subscription.status === "past_due" || subscription.status === "paused") return undefined;
  return (subscription.cancelsAtPeriodEnd ? texts.until : texts.renews)(formats.dayOf(subscription.periodEndsAt));
}

function Dashboard({ user }: { user: User }) {
  const usage = useUsage();
  const dataUsed = useDataUsed(usage);
  const { account, billing, nav } = useTexts();
  const texts = useAccountTexts();
  const formats = useFormats();
  // One button of the screen is filled.
  const hasDownload = useMainDownload() !== undefined;
  return (
    <Page>
      <main>
        <BillingNotice />
        <Flex wrap="wrap" align="end" justify="space-between" gap="4" mt={{ base: "7", sm: "10" }} mb="6">
          <Box as="h1" textStyle="heading" fontSize="2xl" overflowWrap="anywhere">
            {texts.welcome(nameOf(user))}
          </Box>
          <Flex wrap="wrap" gap="2">
            {user.subscription && <ManageBilling />}
            {user.tier === "pro" && (
              <Button asChild variant="outline">
                <Link to="/pro">{nav.proPage}</Link>
              </Button>
            )}
            <Button asChild variant={hasDownload ? "outline" : "solid"}>
              <Link to="/">{texts.converter}</Link>
            </Button>
            <Button asChild variant="outline">
              <Link to="/following">{texts.following}</Link>
            </Button>
            <Button asChild variant="outline">
              <a href="/api/logout">{texts.logout}</a>
            </Button>
          </Flex>
        </Flex>
        <FigureCards>
          <FigureCard name={texts.totalConversions} figure={usage?.totalConversions ?? 0} remark={texts.thisMonth} />
          <FigureCard name={texts.dataUsed} figure={dataUsed} remark={texts.thisMonth} />
          <FigureCard
            isWide
            name={texts.status}
            figure={account.tiers[user.tier]}
            remark={periodText(user, billing, formats)}
          />
        </FigureCards>
        <RecentConversions converterPath="/" />
        <UsageByDay />
        <FeedSection tier={user.tier} />
        <TokenSection tier={user.tier} />
        <WebhookSection tier={user.tier} />
        <AccountSection />
      </main>
      <Footer />
    </Page>
  );
}

export function DashboardPage() {
  useTitle(useTexts().nav.dashboard);
  useHead({ description: useTexts().description, isPrivate: true });
  return <SignedIn>{(user) => <Dashboard user={user} />}</SignedIn>;
}
