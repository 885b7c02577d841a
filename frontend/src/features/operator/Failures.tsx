import { Box, Button, Flex } from "@chakra-ui/react";
import type { FailureGroup } from "../../../../common/operator.ts";
import { Pill } from "../../components/Card.tsx";
import { useOperatorTexts } from "../../texts/operator/index.ts";
import { Empty, Row, Rows, Section } from "./Section.tsx";
import { useAct } from "./use-act.ts";

function Example({ jobId, words }: FailureGroup["examples"][number]) {
  const { isBusy, act } = useAct();
  const texts = useOperatorTexts().failures;
  return (
    <Flex as="li" wrap="wrap" align="center" gap="2" columnGap="4">
      <Box flex="1 1 16rem" minW="0" textStyle="meta">
        {words ?? texts.noWords}
      </Box>
      <Button
        size="sm"
        variant="ghost"
        aria-label={texts.retryNamed(jobId)}
        disabled={isBusy}
        onClick={() => void act({ act: "retry_job", jobId })}
      >
        {texts.retry}
      </Button>
    </Flex>
  );
}

export function Failures({ failures }: { failures: readonly FailureGroup[] }) {
  const texts = useOperatorTexts().failures;
  return (
    <Section title={texts.title}>
      {failures.length === 0 && <Empty>{texts.none}</Empty>}
      <Rows>
        {failures.map(({ code, site, count, examples }) => (
          <Row key={`${code} ${site}`}>
            <Flex wrap="wrap" align="center" gap="2">
              <b>{texts.of(code, site)}</b>
              <Pill data-tone="bad">{count}</Pill>
            </Flex>
            <Box as="ul" listStyleType="none">
              {examples.map((example) => (
                <Example key={example.jobId} {...example} />
              ))}
            </Box>
          </Row>
        ))}
      </Rows>
    </Section>
  );
}
