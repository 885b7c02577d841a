import { Box, Button } from "@chakra-ui/react";
import type { BillingDisagreement, BillingReport, PaidTier } from "../../../../common/operator.ts";
import { useOperatorTexts } from "../../texts/operator/index.ts";
import { dayOf, timeOf } from "./format.ts";
import { Empty, Row, Rows, Section } from "./Section.tsx";
import { useAct } from "./use-act.ts";

function ReadBackButton({ userId }: { userId: string }) {
  const { isBusy, act } = useAct();
  const texts = useOperatorTexts().billing;
  return (
    <Button
      size="sm"
      variant="outline"
      aria-label={texts.readBackNamed(userId)}
      disabled={isBusy}
      onClick={() => void act({ act: "read_back", userId })}
    >
      {texts.readBack}
    </Button>
  );
}

function DisagreementRow({ userId, ours, theirs, since, isCorrected }: BillingDisagreement) {
  const texts = useOperatorTexts().billing;
  const { tiers } = useOperatorTexts().accounts;
  const named = ({ tier, until }: PaidTier): string =>
    until === null ? tiers[tier] : texts.until(tiers[tier], dayOf(until));
  return (
    <Row buttons={<ReadBackButton userId={userId} />}>
      {isCorrected ? texts.wereCorrected(named(ours), named(theirs)) : texts.disagree(named(ours), named(theirs))}
      <Box textStyle="meta">
        {isCorrected ? texts.correctedAt(timeOf(since)) : texts.since(timeOf(since))}
        <Box>{userId}</Box>
      </Box>
    </Row>
  );
}

export function Subscriptions(report: BillingReport) {
  const { failing, overdue, unhandledEvents, userIds, disagreeing, corrected, disagreements } = report;
  const texts = useOperatorTexts().billing;
  const lines = [
    disagreeing > 0 && texts.disagreeing(disagreeing),
    corrected > 0 && texts.corrected(corrected),
    failing > 0 && texts.failing(failing),
    overdue > 0 && texts.overdue(overdue),
    unhandledEvents > 0 && texts.events(unhandledEvents),
  ].filter((line) => line !== false);
  const isListed = (userId: string): boolean => disagreements.some((found) => found.userId === userId);
  return (
    <Section title={texts.title} about={texts.about}>
      {lines.length === 0 && <Empty>{texts.agree}</Empty>}
      <Rows>
        {lines.map((line) => (
          <Row key={line}>{line}</Row>
        ))}
        {disagreements.map((found) => (
          <DisagreementRow key={`${found.userId} ${found.isCorrected}`} {...found} />
        ))}
        {userIds
          .filter((userId) => !isListed(userId))
          .map((userId) => (
            <Row key={userId} buttons={<ReadBackButton userId={userId} />}>
              {texts.notReadBack}
              <Box textStyle="meta">{userId}</Box>
            </Row>
          ))}
      </Rows>
    </Section>
  );
}
