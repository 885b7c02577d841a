import { Box, Button, Flex, SimpleGrid } from "@chakra-ui/react";
import { Plan } from "../../../common/api.ts";
import type { User } from "../../../common/api.ts";
import { PRO_YEARLY_SAVING_PERCENT } from "../../../common/prices.ts";
import { useDevice, useUser } from "../client/stores.ts";
import { useIsSignedIn } from "../client/use-identity.ts";
import { Card } from "../components/Card.tsx";
import { Link } from "../components/Link.tsx";
import { Footer } from "../components/layout/Footer.tsx";
import { Page } from "../components/layout/Page.tsx";
import { BillingNotice } from "../features/billing/BillingNotice.tsx";
import { FeatureList } from "../features/billing/FeatureList.tsx";
import { ManageBilling } from "../features/billing/ManageBilling.tsx";
import { MonthOfYear, PlanBadges } from "../features/billing/PlanBadges.tsx";
import { OFFERS } from "../features/billing/plans.ts";
import { useHead } from "../platform/use-head.ts";
import { MAX_BATCH_LINKS } from "../stores/batch.ts";
import { usePlansTexts } from "../texts/plans/index.ts";
import { useFormats, useTexts } from "../texts/store.ts";
import { tierFigures } from "../texts/tier-figures.ts";
import { useTitle } from "./use-title.ts";

/** What a signed-out visitor is told before the choice. */
const SIGN_IN_ID = "sign-in-first";

/** The same height for every visitor, so that nothing moves when the identity is loaded. */
function PlanAction({ plan, user, isFavourite }: { plan: Plan; user: User | null; isFavourite: boolean }) {
  const texts = usePlansTexts();
  const { plans } = useTexts().billing;
  const isPro = useDevice((state) => state.tier === "pro");
  if (user?.subscription?.plan === plan) return <ManageBilling size="lg" mt="6" />;
  // The place of a subscription that is not known yet.
  if (isPro && user === null) return <Box h="12" mt="6" />;
  if (user?.tier === "pro" || user?.subscription)
    return (
      <Flex align="center" justify="center" h="12" mt="6" fontWeight={600} color="fg.muted">
        {user.subscription ? texts.switch : texts.owned}
      </Flex>
    );
  return (
    <Button asChild size="lg" mt="6" variant={isFavourite ? "solid" : "outline"}>
      <Link to={`/subscribe?plan=${plan}`} aria-describedby={user === null ? SIGN_IN_ID : undefined}>
        {plans[plan].choose}
      </Link>
    </Button>
  );
}

function PlanCard({ plan, user }: { plan: Plan; user: User | null }) {
  const { name, interval } = useTexts().billing.plans[plan];
  const formats = useFormats();
  const offer = OFFERS[plan];
  const { isFavourite } = offer;
  return (
    <Card
      as="article"
      aria-label={name}
      p="6"
      display="flex"
      flexDirection="column"
      {...(isFavourite && { borderColor: "accent", boxShadow: "0 0 0 3px {colors.accent.soft}, {shadows.card}" })}
    >
      <Flex wrap="wrap" align="center" gap="2" minH="6">
        <Box as="h2" fontWeight={600} me="auto">
          {name}
        </Box>
        <PlanBadges offer={offer} />
      </Flex>
      <Flex wrap="wrap" align="baseline" columnGap="2" mt="2.5">
        <Box textStyle="price">{formats.dollars(offer.priceUsd)}</Box>
        <Box fontSize="md" fontWeight={500} color="fg.muted">
          {interval}
        </Box>
      </Flex>
      {/* Of the same height in both cards. */}
      <Box minH="5" mb="3.5">
        <MonthOfYear offer={offer} />
      </Box>
      <FeatureList />
      <PlanAction plan={plan} user={user} isFavourite={isFavourite} />
    </Card>
  );
}

export function PlansPage() {
  const { billing } = useTexts();
  const texts = usePlansTexts();
  useTitle(texts.tab);
  useHead({ description: texts.description(MAX_BATCH_LINKS) });
  const formats = useFormats();
  const { mp3, mp4, length, size, kept, batch } = tierFigures("pro", formats);
  const benefits = [
    { title: texts.limits.title, text: texts.limits.text(length, size, batch) },
    { title: texts.quality.title, text: texts.quality.text(mp3, mp4) },
    { title: texts.noAds.title, text: texts.noAds.text(kept) },
  ];
  const user = useUser((state) => state.user);
  const isPro = useDevice((state) => state.tier === "pro");
  const isSignedIn = useIsSignedIn();
  return (
    <Page>
      <main>
        <BillingNotice />
        <Box as="h1" textStyle="display" mt={{ base: "7", sm: "10" }} mb="3">
          {isPro ? texts.titleForPro : texts.title}
        </Box>
        <Box as="p" textStyle="lead" color="fg.muted" mb={{ base: "5", sm: "7" }} minH={{ base: "14", sm: "0" }}>
          {isPro ? texts.leadForPro : texts.lead(formats.percent(PRO_YEARLY_SAVING_PERCENT))}
        </Box>
        {isSignedIn === false && (
          <Box as="p" id={SIGN_IN_ID} textStyle="meta" mb={{ base: "4", sm: "5" }}>
            {texts.signInFirst}
          </Box>
        )}
        <SimpleGrid columns={{ base: 1, sm: 2 }} gap="4">
          {Plan.options.map((plan) => (
            <PlanCard key={plan} plan={plan} user={user} />
          ))}
        </SimpleGrid>
        <SimpleGrid columns={{ base: 1, sm: 3 }} gap="6" mt="11">
          {benefits.map(({ title, text }) => (
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
          {billing.assurance}
        </Box>
      </main>
      <Footer />
    </Page>
  );
}
