import { Box, Button, Flex, SimpleGrid } from "@chakra-ui/react";
import { Link } from "react-router";
import type { User } from "../../../common/api.ts";
import { Footer } from "../components/Footer.tsx";
import { Page } from "../components/Page.tsx";
import { AccountSection } from "../features/account/AccountSection.tsx";
import { FigureCard } from "../features/account/FigureCard.tsx";
import { RecentConversions } from "../features/account/RecentConversions.tsx";
import { useDataUsed, useUsage } from "../features/account/use-usage.ts";
import { SignedIn } from "../features/account/ways.tsx";
import { nameOf } from "../stores/user.ts";
import { useTexts } from "../texts/store.ts";
import { useHead } from "../head.ts";
import { useTitle } from "../title.ts";

function Dashboard({ user }: { user: User }) {
  const usage = useUsage();
  const dataUsed = useDataUsed(usage);
  const texts = useTexts().account;
  return (
    <Page>
      <main>
        <Flex wrap="wrap" align="end" justify="space-between" gap="4" mt={{ base: "7", sm: "10" }} mb="6">
          <Box as="h1" textStyle="heading" fontSize="2xl" overflowWrap="anywhere">
            {texts.welcome(nameOf(user))}
          </Box>
          <Flex gap="2">
            <Button asChild>
              <Link to="/">{texts.converter}</Link>
            </Button>
            <Button asChild variant="outline">
              <a href="/api/logout">{texts.logout}</a>
            </Button>
          </Flex>
        </Flex>
        <SimpleGrid columns={{ base: 1, sm: 3 }} gap="4">
          <FigureCard name={texts.totalConversions} figure={usage?.totalConversions ?? 0} remark={texts.thisMonth} />
          <FigureCard name={texts.dataUsed} figure={dataUsed} remark={texts.thisMonth} />
          <FigureCard name={texts.status} figure={texts.tiers[user.tier]} />
        </SimpleGrid>
        <RecentConversions converterPath="/" />
        <AccountSection />
      </main>
      <Footer />
    </Page>
  );
}

export function DashboardPage() {
  useTitle("dashboard");
  useHead({ description: useTexts().descriptions.home, isPrivate: true });
  return <SignedIn>{(user) => <Dashboard user={user} />}</SignedIn>;
}
