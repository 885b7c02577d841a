import { Box, Button, Flex, SimpleGrid } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { PRO_MONTHLY_USD, PRO_YEARLY_SAVING_USD, PRO_YEARLY_USD } from "../../../../common/prices.ts";
import type { Tier } from "../../../../common/tiers.ts";
import { useDevice } from "../../client/stores.ts";
import { Card } from "../../components/Card.tsx";
import { Link } from "../../components/Link.tsx";
import { TickedList } from "../../components/TickedList.tsx";
import { useFormats, useTexts } from "../../texts/store.ts";
import { tierFeatures } from "./tier-features.ts";

interface PlanProps {
  readonly name: string;
  readonly tier: Tier;
  readonly price: ReactNode;
  readonly remark: string;
  readonly action: ReactNode;
}

function Plan({ name, tier, price, remark, action }: PlanProps) {
  const texts = useTexts().pricing;
  const formats = useFormats();
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
      <Flex wrap="wrap" align="baseline" columnGap="2" rowGap="1.5" mt="2.5" mb="1">
        {price}
      </Flex>
      <Box textStyle="meta">{remark}</Box>
      <TickedList items={tierFeatures(tier, texts, formats)} my="5" />
      <Box mt="auto">{action}</Box>
    </Card>
  );
}

/** Not drawn as a button, which it is not. */
function Yours() {
  return (
    <Flex align="center" h="11" fontWeight={600} color="fg.muted">
      {useTexts().pricing.yours}
    </Flex>
  );
}

export function Pricing() {
  const tier = useDevice((state) => state.tier);
  const texts = useTexts().pricing;
  const formats = useFormats();
  return (
    <Box as="section" id="pricing" aria-labelledby="pricing-heading">
      <Box as="h2" id="pricing-heading" textStyle="heading" mt="11" mb="3.5">
        {texts.title}
      </Box>
      <SimpleGrid columns={{ base: 1, sm: 2 }} gap="4">
        <Plan
          name={texts.free.name}
          tier="free"
          price={<Box textStyle="price">{formats.dollars(0)}</Box>}
          remark={texts.free.remark}
          action={tier === "free" && <Yours />}
        />
        <Plan
          name={texts.pro.name}
          tier="pro"
          price={
            <>
              <Box textStyle="price">{formats.dollars(PRO_MONTHLY_USD)}</Box>
              <Box fontSize="md" fontWeight={500} color="fg.muted">
                {texts.perMonth(formats.dollars(PRO_YEARLY_USD), formats.dollars(PRO_YEARLY_SAVING_USD))}
              </Box>
            </>
          }
          remark={texts.pro.remark}
          action={
            tier === "pro" ? (
              <Yours />
            ) : (
              <Button asChild>
                <Link to="/plans">{texts.upgrade}</Link>
              </Button>
            )
          }
        />
      </SimpleGrid>
    </Box>
  );
}
