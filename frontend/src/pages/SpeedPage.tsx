import { Box, Button, Flex, SimpleGrid, chakra } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import { DAY_MS } from "../../../common/durations.ts";
import { SPEED_DAYS, Speed } from "../../../common/speed.ts";
import { isFailedCall } from "../api/errors.ts";
import { api } from "../client/stores.ts";
import { Card } from "../components/Card.tsx";
import { Skeleton } from "../components/Skeleton.tsx";
import { TextColumn, TextHead } from "../components/layout/TextColumn.tsx";
import { FigureCard, FigureCards } from "../features/account/FigureCard.tsx";
import { PartBars } from "../features/speed/PartBars.tsx";
import { useHead } from "../platform/use-head.ts";
import { wholeSpan } from "../texts/shown-seconds.ts";
import { useSpeedTexts } from "../texts/speed/index.ts";
import { useFormats } from "../texts/store.ts";
import { useTitle } from "./use-title.ts";

const Table = chakra("table", {
  base: {
    w: "full",
    fontSize: "sm",
    fontVariantNumeric: "tabular-nums",
    "& th": { textStyle: "meta", fontWeight: 600, textAlign: "start", verticalAlign: "bottom" },
    "& :is(th, td)": { py: "2", pe: { base: "2", sm: "3" }, _last: { pe: "0" } },
    "& td": { whiteSpace: "nowrap" },
    "& tbody tr": { borderTop: "1px solid {colors.border}" },
  },
});

const Heading = chakra("h2", { base: { textStyle: "heading", mb: "3.5" } });

function Figures({ speed }: { readonly speed: Speed }) {
  const texts = useSpeedTexts();
  const formats = useFormats();
  const span = (seconds: number) => formats.span(wholeSpan(seconds));
  // Words are too wide for a table on a phone.
  const clock = (seconds: number) => formats.clock(wholeSpan(seconds));
  const { all, shares, promise, days } = speed;
  if (!all || !shares) return <Card p="5">{texts.tooFew}</Card>;
  return (
    <>
      <FigureCards>
        <FigureCard name={texts.half} figure={span(all.medianSeconds)} />
        <FigureCard name={texts.nineInTen} figure={span(all.p90Seconds)} />
        <FigureCard isWide name={texts.conversions} figure={formats.number(all.conversions)} />
      </FigureCards>
      <SimpleGrid columns={{ base: 1, sm: 2 }} gap="4" mt="4" alignItems="start">
        <Card p="5">
          <Heading>{texts.where}</Heading>
          <PartBars
            parts={(["wait", "site", "line", "ours"] as const).map((part) => ({
              name: texts.parts[part],
              value: formats.percent(shares[part]),
              fraction: shares[part] / 100,
            }))}
          />
        </Card>
        <Card p="5">
          <Heading>{texts.promise}</Heading>
          {promise ? (
            <>
              <Box as="p">{texts.kept(formats.percent(promise.keptPercent))}</Box>
              <Box as="p" mt="2">
                {texts.off(formats.percent(promise.medianErrorPercent))}
              </Box>
            </>
          ) : (
            <Box as="p">{texts.noPromise}</Box>
          )}
        </Card>
      </SimpleGrid>
      {days.length > 0 && (
        <Card p="5" mt="4" overflowX="auto">
          <Heading id="by-day">{texts.byDay}</Heading>
          <Table aria-labelledby="by-day">
            <thead>
              <tr>
                <th scope="col">{texts.day}</th>
                <th scope="col">{texts.conversions}</th>
                <th scope="col">{texts.half}</th>
                <th scope="col">{texts.nineInTen}</th>
              </tr>
            </thead>
            <tbody>
              {days.map(({ day, conversions, medianSeconds, p90Seconds }) => (
                <tr key={day}>
                  <td>{formats.shortDate(day)}</td>
                  <td>{formats.number(conversions)}</td>
                  <td>{clock(medianSeconds)}</td>
                  <td>{clock(p90Seconds)}</td>
                </tr>
              ))}
            </tbody>
          </Table>
        </Card>
      )}
      <Box as="p" textStyle="meta" mt="4">
        {texts.counted}
      </Box>
    </>
  );
}

/** The figures, their place while they load, or why there are none. */
function Measured({ onRetry }: { readonly onRetry: () => void }) {
  const texts = useSpeedTexts();
  const [speed, setSpeed] = useState<Speed | "failed" | null>(null);
  useEffect(() => {
    const left = new AbortController();
    api.client.call("/api/speed", Speed, { signal: left.signal }).then(setSpeed, (error: unknown) => {
      if (left.signal.aborted) return;
      if (!isFailedCall(error)) throw error;
      setSpeed("failed");
    });
    return () => left.abort();
  }, []);
  if (speed === null) return <Skeleton h="24rem" role="status" aria-label={texts.title} />;
  if (speed !== "failed") return <Figures speed={speed} />;
  return (
    <Card p="5">
      <Flex role="alert" wrap="wrap" align="center" gap="3">
        {texts.failed}
        <Button size="sm" variant="outline" onClick={onRetry}>
          {texts.retry}
        </Button>
      </Flex>
    </Card>
  );
}

function Content() {
  const texts = useSpeedTexts();
  const formats = useFormats();
  const [tries, setTries] = useState(0);
  useTitle(texts.title);
  useHead({ description: texts.description });
  return (
    <>
      <TextHead title={texts.title} lead={texts.lead(formats.span((SPEED_DAYS * DAY_MS) / 1_000))} />
      <Measured key={tries} onRetry={() => setTries(tries + 1)} />
    </>
  );
}

/** How long conversions took lately, beside what was promised. */
export function SpeedPage() {
  return (
    <TextColumn>
      <Content />
    </TextColumn>
  );
}
