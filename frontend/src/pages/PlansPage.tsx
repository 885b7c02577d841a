import { Box, Button, Flex, SimpleGrid } from "@chakra-ui/react";
import { Link } from "react-router";
import { Plan } from "../../../common/api.ts";
import type { User } from "../../../common/api.ts";
import { PRO_YEARLY_SAVING_PERCENT } from "../../../common/prices.ts";
import { TIERS, qualityFor } from "../../../common/tiers.ts";
import { useUser } from "../app.ts";
import { Card } from "../components/Card.tsx";
import { Footer } from "../components/Footer.tsx";
import { Page } from "../components/Page.tsx";
import { BillingNotice } from "../features/billing/BillingNotice.tsx";
import { FeatureList } from "../features/billing/FeatureList.tsx";
import { ManageBilling } from "../features/billing/ManageBilling.tsx";
import { PlanBadges } from "../features/billing/PlanBadges.tsx";
import { ASSURANCE, FILE_LIMIT, PLANS } from "../features/billing/plans.ts";
import { formatQuality, formatSpan, formatUsd } from "../format.ts";
import { useTitle } from "../title.ts";

const BENEFITS = [
  {
    title: "Higher limits",
    text: `Videos up to ${formatSpan(TIERS.pro.maxDurationSeconds)} and files up to ${FILE_LIMIT}, ${TIERS.pro.batchSize} links at once.`,
  },
  {
    title: "Premium quality",
    text: `MP3 at ${formatQuality(qualityFor("pro", "mp3"))} and MP4 in ${formatQuality(qualityFor("pro", "mp4"))}, first in the queue.`,
  },
  { title: "Ad-free", text: `No promotions anywhere, and files wait for you for ${formatSpan(TIERS.pro.retentionSeconds)}.` },
];

/** As high for everybody, so that nothing moves when the page learns who reads it. */
function PlanAction({ plan, user, isFavourite }: { plan: Plan; user: User | null; isFavourite: boolean }) {
  if (user?.subscription?.plan === plan) return <ManageBilling size="lg" mt="6" />;
  if (user?.tier === "pro" || user?.subscription)
    return (
      <Flex align="center" justify="center" h="12" mt="6" fontWeight={600} color="fg.muted">
        {user.subscription ? "Switch under Manage billing" : "You have Pro"}
      </Flex>
    );
  return (
    <Button asChild size="lg" mt="6" variant={isFavourite ? "solid" : "outline"}>
      <Link to={`/subscribe?plan=${plan}`}>Choose {PLANS[plan].name}</Link>
    </Button>
  );
}

function PlanCard({ plan, user }: { plan: Plan; user: User | null }) {
  const offer = PLANS[plan];
  const isFavourite = plan === "yearly";
  return (
    <Card
      as="article"
      aria-label={offer.name}
      p="6"
      display="flex"
      flexDirection="column"
      {...(isFavourite && { borderColor: "accent", boxShadow: "0 0 0 3px {colors.accent.soft}, {shadows.card}" })}
    >
      <Flex wrap="wrap" align="center" gap="2" minH="6">
        <Box as="h2" fontWeight={600} me="auto">
          {offer.name}
        </Box>
        <PlanBadges offer={offer} />
      </Flex>
      <Flex wrap="wrap" align="baseline" columnGap="2" mt="2.5" mb="5">
        <Box textStyle="price">{formatUsd(offer.priceUsd)}</Box>
        <Box fontSize="md" fontWeight={500} color="fg.muted">
          {offer.interval}
        </Box>
      </Flex>
      <FeatureList />
      <PlanAction plan={plan} user={user} isFavourite={isFavourite} />
    </Card>
  );
}

export function PlansPage() {
  useTitle("Plans");
  const user = useUser((state) => state.user);
  const isPro = user?.tier === "pro";
  return (
    <Page>
      <main>
        <BillingNotice />
        <Box as="h1" textStyle="display" mt={{ base: "7", sm: "10" }} mb="3">
          {isPro ? "You have Pro." : "Choose your plan."}
        </Box>
        <Box as="p" textStyle="lead" color="fg.muted" mb={{ base: "5", sm: "7" }} minH={{ base: "14", sm: "0" }}>
          {isPro ? "Everything below is yours already." : `The same Pro either way; a year at once costs ${PRO_YEARLY_SAVING_PERCENT}% less.`}
        </Box>
        <SimpleGrid columns={{ base: 1, sm: 2 }} gap="4">
          {Plan.options.map((plan) => (
            <PlanCard key={plan} plan={plan} user={user} />
          ))}
        </SimpleGrid>
        <SimpleGrid columns={{ base: 1, sm: 3 }} gap="6" mt="11">
          {BENEFITS.map(({ title, text }) => (
            <Box key={title}>
              <Box as="h2" textStyle="heading" fontSize="lg" mb="1">
                {title}
              </Box>
              <Box fontSize="md" color="fg.muted">
                {text}
              </Box>
            </Box>
          ))}
        </SimpleGrid>
        <Box textStyle="meta" mt="8" textAlign="center">
          {ASSURANCE}
        </Box>
      </main>
      <Footer />
    </Page>
  );
}
