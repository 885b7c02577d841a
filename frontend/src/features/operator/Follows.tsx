import { Box, Flex } from "@chakra-ui/react";
import type { FeedFigures, FollowFigures } from "../../../../common/operator.ts";
import { Pill } from "../../components/Card.tsx";
import { useOperatorTexts } from "../../texts/operator/index.ts";
import { Empty, Row, Rows, Section } from "./Section.tsx";

export interface FollowsProps {
  readonly follows: FollowFigures | undefined;
  readonly feeds: FeedFigures | undefined;
}

export function Follows({ follows, feeds }: FollowsProps) {
  const texts = useOperatorTexts().follows;
  if (!follows) return null;
  const { all, paused, putOff, failing } = follows;
  return (
    <Section title={texts.title}>
      {all === 0 ? (
        <Empty>{texts.none}</Empty>
      ) : (
        <Rows>
          <Row>
            <Flex wrap="wrap" align="center" gap="2">
              <Box textStyle="meta">{texts.figures(all, paused)}</Box>
              {putOff > 0 && <Pill>{texts.putOff(putOff)}</Pill>}
              {failing > 0 && <Pill data-tone="bad">{texts.failing(failing)}</Pill>}
            </Flex>
          </Row>
        </Rows>
      )}
      {feeds && feeds.all > 0 && (
        <Rows>
          <Row>
            <Box textStyle="meta">{texts.feeds(feeds.all, feeds.readLately)}</Box>
          </Row>
        </Rows>
      )}
    </Section>
  );
}
