import { Box, Flex } from "@chakra-ui/react";
import type { SiteFigures } from "../../../../common/operator.ts";
import { Pill } from "../../components/Card.tsx";
import { useOperatorTexts } from "../../texts/operator/index.ts";
import { Empty, Row, Rows, Section } from "./Section.tsx";

export function Sites({ sites }: { sites: readonly SiteFigures[] }) {
  const texts = useOperatorTexts().sites;
  return (
    <Section title={texts.title}>
      {sites.length === 0 && <Empty>{texts.none}</Empty>}
      <Rows>
        {sites.map(({ site, asked, completed, failed, refusing, changed }) => (
          <Row key={site}>
            <Flex wrap="wrap" align="center" gap="2">
              <b>{site}</b>
              {refusing > 0 && <Pill data-tone="bad">{texts.refusing(refusing)}</Pill>}
              {changed > 0 && <Pill data-tone="bad">{texts.changed(changed)}</Pill>}
            </Flex>
            <Box textStyle="meta">{texts.figures(asked, completed, failed)}</Box>
          </Row>
        ))}
      </Rows>
    </Section>
  );
}
