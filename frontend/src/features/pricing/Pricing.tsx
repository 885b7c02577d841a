import { Box, Button, Flex, SimpleGrid } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { PRO_MONTHLY_USD, PRO_YEARLY_SAVING_USD, PRO_YEARLY_USD } from "../../../../common/prices.ts";
import { BYTES_PER_MB, TIERS, qualityFor } from "../../../../common/tiers.ts";
import type { Tier } from "../../../../common/tiers.ts";
import { useDevice } from "../../app.ts";
import { Card } from "../../components/Card.tsx";
import { TickedList } from "../../components/TickedList.tsx";
import { formatQuality, formatSpan, formatUsd } from "../../format.ts";

/** What a tier gives, in three lines, from the table that the server enforces. */
function features(tier: Tier): string[] {
  const limits = TIERS[tier];
  const size = `${limits.maxFileBytes / BYTES_PER_MB} MB`;
  const batch = limits.batchSize > 1 ? `, ${limits.batchSize} links at once` : "";
  const kept = formatSpan(limits.retentionSeconds);
  return [
    `MP3 ${formatQuality(qualityFor(tier, "mp3"))}, MP4 ${formatQuality(qualityFor(tier, "mp4"))}`,
    `up to ${formatSpan(limits.maxDurationSeconds)} and ${size}${batch}`,
    limits.showsAds ? `files kept for ${kept}` : `first in the queue, no ads, files kept ${kept}`,
  ];
}

interface PlanProps {
  readonly name: string;
  readonly tier: Tier;
  readonly price: ReactNode;
  readonly remark: string;
  readonly action: ReactNode;
}

function Plan({ name, tier, price, remark, action }: PlanProps) {
  return (
    <Card
      as="article"
      p="6"
      display="flex"
      flexDirection="column"
      {...(tier === "pro" && { borderColor: "accent", boxShadow: "0 0 0 3px {colors.accent.soft}, {shadows.card}" })}
    >
      <Box as="h3" fontWeight={600}>
        {name}
      </Box>
      <Flex wrap="wrap" align="baseline" columnGap="2" mt="2.5" mb="1">
        {price}
      </Flex>
      <Box textStyle="meta">{remark}</Box>
      <TickedList items={features(tier)} my="5" />
      <Box mt="auto">{action}</Box>
    </Card>
  );
}

export function Pricing() {
  const tier = useDevice((state) => state.tier);
  return (
    <Box as="section" id="pricing" aria-labelledby="pricing-heading">
      <Box as="h2" id="pricing-heading" textStyle="heading" mt="11" mb="3.5">
        Pricing
      </Box>
      <SimpleGrid columns={{ base: 1, sm: 2 }} gap="4">
        <Plan
          name="Free"
          tier="free"
          price={<Box textStyle="price">{formatUsd(0)}</Box>}
          remark="no account needed"
          action={
            tier === "free" && (
              <Flex display="inline-flex" align="center" h="11" px="5" border="1px solid {colors.border}" borderRadius="md" fontSize="md" fontWeight={600}>
                You have this
              </Flex>
            )
          }
        />
        <Plan
          name="Pro"
          tier="pro"
          price={
            <>
              <Box textStyle="price">{formatUsd(PRO_MONTHLY_USD)}</Box>
              <Box fontSize="md" fontWeight={500} color="fg.muted">
                a month, or {formatUsd(PRO_YEARLY_USD)} a year (save {formatUsd(PRO_YEARLY_SAVING_USD)})
              </Box>
            </>
          }
          remark="cancel any time"
          action={
            tier === "pro" ? (
              "You have this"
            ) : (
              <Button asChild>
                <Link to="/plans">Upgrade to Pro</Link>
              </Button>
            )
          }
        />
      </SimpleGrid>
    </Box>
  );
}
