import { Box, Button, Flex, chakra } from "@chakra-ui/react";
import type { User } from "../../../common/api.ts";
import { isActive } from "../../../common/job.ts";
import { BYTES_PER_MB, TIERS, qualityFor } from "../../../common/tiers.ts";
import { useJobs } from "../client/stores.ts";
import { Pill } from "../components/Card.tsx";
import { Footer } from "../components/layout/Footer.tsx";
import { Page } from "../components/layout/Page.tsx";
import { FigureCard, FigureCards } from "../features/account/FigureCard.tsx";
import { RecentConversions } from "../features/account/RecentConversions.tsx";
import { accountActions } from "../features/account/account-client.ts";
import { useDataUsed, useUsage } from "../features/account/use-usage.ts";
import { SignedIn } from "../features/account/access.tsx";
import { BillingNotice } from "../features/billing/BillingNotice.tsx";
import { ManageBilling } from "../features/billing/ManageBilling.tsx";
import { Converter } from "../features/converter/Converter.tsx";
import { BesideConverter } from "../features/queue/use-jobs.ts";
import { jobsToShow } from "../stores/jobs.ts";
import { nameOf } from "../stores/user.ts";
import { useTexts } from "../texts/store.ts";
import { useAccountTexts } from "../texts/account/index.ts";
import type { ProTexts } from "../texts/pro/en.ts";
import { useProTexts } from "../texts/pro/index.ts";
import { useHead } from "../platform/use-head.ts";
import { useTitle } from "./use-title.ts";

const { maxFileBytes, batchSize, retentionSeconds } = TIERS.pro;
const MEGABYTES = maxFileBytes / BYTES_PER_MB;

function features(texts: ProTexts): string[] {
  return [
    texts.unlimited,
    texts.batchOf(batchSize),
    `HD ${qualityFor("pro", "mp4")}/${qualityFor("pro", "mp3")}`,
    texts.storage(retentionSeconds / 86_400),
    texts.fileLimit(MEGABYTES),
  ];
}

function Pro({ user }: { user: User }) {
  const usage = useUsage();
  const dataUsed = useDataUsed(usage);
  const texts = useProTexts();
  const account = useAccountTexts();
  // Like the total, of this month: the list also has older conversions and lacks removed ones.
  const completed = usage?.totalConversions ?? 0;
  const active = useJobs((state) => jobsToShow(state).filter((job) => isActive(job.status)).length);
  return (
    <Page>
      <main>
        <BillingNotice />
        <Flex wrap="wrap" align="center" justify="space-between" gap="4" mt={{ base: "7", sm: "10" }} mb="6">
          <Flex wrap="wrap" align="center" gap="3" minW="0">
            <Box as="h1" textStyle="heading" fontSize="2xl" overflowWrap="anywhere">
              {account.welcome(nameOf(user))}
            </Box>
            <Pill data-tone="ok">{texts.member}</Pill>
          </Flex>
          <Flex wrap="wrap" gap="2">
            {user.subscription && <ManageBilling />}
            <Button variant="outline" onClick={() => void accountActions.signOut()}>
              {account.logout}
            </Button>
          </Flex>
        </Flex>
        <FigureCards mb="6">
          <FigureCard
            isWide
            name={texts.features}
            figure={texts.everything}
            remark={
              // Two columns on phones, so that the converter is close to the top.
              <chakra.ul listStyleType="none" columns={{ base: 2, sm: 1 }} columnGap="4">
                {features(texts).map((feature) => (
                  <li key={feature}>{feature}</li>
                ))}
              </chakra.ul>
            }
          />
          <FigureCard
            name={account.totalConversions}
            figure={completed + active}
            remark={
              <>
                <div>{texts.completed(completed)}</div>
                <div>{texts.active(active)}</div>
                <div>{account.thisMonth}</div>
              </>
            }
          />
          <FigureCard name={texts.dataUsage} figure={dataUsed} remark={texts.monthlyLimit(MEGABYTES)} />
        </FigureCards>
        <Converter />
        <BesideConverter value>
          <RecentConversions converterPath="#converter" />
        </BesideConverter>
      </main>
      <Footer />
    </Page>
  );
}

export function ProPage() {
  useTitle(useTexts().account.tiers.pro);
  useHead({ description: useTexts().description, isPrivate: true });
  return <SignedIn isProOnly>{(user) => <Pro user={user} />}</SignedIn>;
}
