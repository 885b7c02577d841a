import { Box, Button, Flex } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import type { OperatorLogLine, OperatorRecords } from "../../../../common/operator.ts";
import { isAbort } from "../../api/errors.ts";
import { operatorApi } from "../../api/operator-api.ts";
import { Pill } from "../../components/Card.tsx";
import { useOperatorTexts } from "../../texts/operator/index.ts";
import { Blocks } from "./Blocks.tsx";
import { timeOf } from "./format.ts";
import { Empty, Row, Rows, Section } from "./Section.tsx";
import { ACTED, acts } from "./use-act.ts";
import { Skeleton } from "../../components/Skeleton.tsx";

function Log({ log }: { log: readonly OperatorLogLine[] }) {
  const texts = useOperatorTexts().log;
  return (
    <Section title={texts.title}>
      {log.length === 0 && <Empty>{texts.none}</Empty>}
      <Rows data-log>
        {log.map(({ id, at, by, act, on, result }) => (
          <Row key={id}>
            <Flex wrap="wrap" align="center" gap="2">
              <b>{act}</b>
              <span>{on}</span>
              <Pill data-tone={result === "done" ? "ok" : "bad"}>{result}</Pill>
            </Flex>
            <Box textStyle="meta">{`${timeOf(at)} · ${by}`}</Box>
          </Row>
        ))}
      </Rows>
    </Section>
  );
}

/** Both lists, which are read again after each act. */
export function Records() {
  const [records, setRecords] = useState<OperatorRecords | "failed" | null>(null);
  const texts = useOperatorTexts().log;
  useEffect(() => {
    const stopped = new AbortController();
    const { signal } = stopped;
    const read = (): void =>
      void operatorApi.readRecords(signal).then(setRecords, (error: unknown) => {
        // Older lists are better than none.
        if (!isAbort(error)) setRecords((before) => before ?? "failed");
      });
    read();
    acts.addEventListener(ACTED, read, { signal });
    return () => stopped.abort();
  }, []);

  if (records === null) return <Skeleton h="16rem" mt="8" />;
  if (records === "failed")
    return (
      <Flex role="alert" wrap="wrap" align="center" gap="3" mt="8">
        {texts.failedToLoad}
        <Button
          size="sm"
          variant="outline"
          onClick={() => {
            setRecords(null);
            acts.dispatchEvent(new Event(ACTED));
          }}
        >
          {texts.retry}
        </Button>
      </Flex>
    );
  return (
    <>
      <Blocks blocks={records.blocks} />
      <Log log={records.log} />
    </>
  );
}
