import { Box, Button, Flex, SimpleGrid, chakra } from "@chakra-ui/react";
import type { User } from "../../../common/api.ts";
import { isActive } from "../../../common/job.ts";
import { BYTES_PER_MB, TIERS, qualityFor } from "../../../common/tiers.ts";
import { accountActions, useJobs } from "../app.ts";
import { Pill } from "../components/Card.tsx";
import { Footer } from "../components/Footer.tsx";
import { Page } from "../components/Page.tsx";
import { FigureCard } from "../features/account/FigureCard.tsx";
import { RecentConversions } from "../features/account/RecentConversions.tsx";
import { tellData, useUsage } from "../features/account/use-usage.ts";
import { SignedIn } from "../features/account/ways.tsx";
import { BillingNotice } from "../features/billing/BillingNotice.tsx";
import { ManageBilling } from "../features/billing/ManageBilling.tsx";
import { Converter } from "../features/converter/Converter.tsx";
import { jobsToShow } from "../stores/jobs.ts";
import { nameOf } from "../stores/user.ts";
import { useTitle } from "../title.ts";

const { maxFileBytes, batchSize, retentionSeconds } = TIERS.pro;
const FILE_LIMIT = `${maxFileBytes / BYTES_PER_MB}MB`;
const FEATURES = [
  "Unlimited conversions",
  `Batch of ${batchSize} URLs`,
  `HD ${qualityFor("pro", "mp4")}/${qualityFor("pro", "mp3")}`,
  `${retentionSeconds / 86_400}-day storage`,
  `${FILE_LIMIT} file limit`,
];

function Pro({ user }: { user: User }) {
  const usage = useUsage();
  const completed = useJobs((state) => jobsToShow(state).filter((job) => job.status === "completed").length);
  const active = useJobs((state) => jobsToShow(state).filter((job) => isActive(job.status)).length);
  return (
    <Page>
      <main>
        <BillingNotice />
        <Flex wrap="wrap" align="center" justify="space-between" gap="4" mt={{ base: "7", sm: "10" }} mb="6">
          <Flex wrap="wrap" align="center" gap="3" minW="0">
            <Box as="h1" textStyle="heading" fontSize="2xl" overflowWrap="anywhere">
              Welcome, {nameOf(user)}
            </Box>
            <Pill data-tone="ok">Pro Member</Pill>
          </Flex>
          <Flex wrap="wrap" gap="2">
            {user.subscription && <ManageBilling />}
            <Button variant="outline" onClick={() => void accountActions.signOut()}>
              Logout
            </Button>
          </Flex>
        </Flex>
        <SimpleGrid columns={{ base: 1, sm: 3 }} gap="4" mb="6">
          <FigureCard
            name="Pro Features"
            figure="Everything"
            remark={
              <chakra.ul listStyleType="none">
                {FEATURES.map((feature) => (
                  <li key={feature}>{feature}</li>
                ))}
              </chakra.ul>
            }
          />
          <FigureCard
            name="Total Conversions"
            figure={usage?.totalConversions ?? 0}
            remark={
              <>
                <div>{completed} completed</div>
                <div>{active} processing or pending</div>
              </>
            }
          />
          <FigureCard name="Data Usage" figure={tellData(usage)} remark={`${FILE_LIMIT} monthly limit`} />
        </SimpleGrid>
        <Converter />
        <RecentConversions converterPath="#converter" />
      </main>
      <Footer />
    </Page>
  );
}

export function ProPage() {
  useTitle("Pro");
  return <SignedIn isProOnly>{(user) => <Pro user={user} />}</SignedIn>;
}
