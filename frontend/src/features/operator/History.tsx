import { Box } from "@chakra-ui/react";
import { lazy, Suspense, useEffect, useState } from "react";
import type { HistoryPoint } from "../../../../common/operator.ts";
import { isAbort } from "../../api/errors.ts";
import { operatorApi } from "../../api/operator-api.ts";
import { useOperatorTexts } from "../../texts/operator/index.ts";
import { ageOf } from "./format.ts";
import { Empty, Section } from "./Section.tsx";
import { Skeleton } from "../../components/Skeleton.tsx";

/** As often as the server reads it anew. */
const REFRESH_MS = 60_000;
const HEIGHT = "16rem";

const HistoryChart = lazy(async () => ({ default: (await import("./HistoryChart.tsx")).HistoryChart }));

function Drawn({ points }: { points: readonly HistoryPoint[] }) {
  const texts = useOperatorTexts().history;
  const jobs = points.reduce((sum, point) => sum + point.jobs, 0);
  if (jobs === 0) return <Empty>{texts.none}</Empty>;
  const failed = points.reduce((sum, point) => sum + point.failed, 0);
  const wait = Math.max(0, ...points.map(({ waitP95Seconds }) => waitP95Seconds ?? 0));
  return (
    <Box p="4">
      <Suspense fallback={<Skeleton h={HEIGHT} />}>
        <HistoryChart points={points} texts={texts} />
      </Suspense>
      <Box textStyle="meta" mt="3">
        {texts.summary(jobs, failed, ageOf(wait))}
      </Box>
    </Box>
  );
}

export function History() {
  const [points, setPoints] = useState<readonly HistoryPoint[] | "failed" | null>(null);
  const texts = useOperatorTexts().history;
  useEffect(() => {
    const stopped = new AbortController();
    async function read(): Promise<void> {
      try {
        setPoints((await operatorApi.readHistory(stopped.signal)).points);
      } catch (error) {
        // An older picture is better than none.
        if (!isAbort(error)) setPoints((before) => (Array.isArray(before) ? before : "failed"));
      }
    }
    void read();
    const timer = setInterval(() => void read(), REFRESH_MS);
    return () => {
      stopped.abort();
      clearInterval(timer);
    };
  }, []);
  return (
    <Section title={texts.title}>
      {points === null ? (
        <Box p="4">
          <Skeleton h={HEIGHT} />
        </Box>
      ) : points === "failed" ? (
        <Empty>{texts.failedToLoad}</Empty>
      ) : (
        <Drawn points={points} />
      )}
    </Section>
  );
}
