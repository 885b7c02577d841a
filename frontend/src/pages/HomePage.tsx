import { Box } from "@chakra-ui/react";
import { memo, startTransition, useEffect, useState } from "react";
import { useDevice, useJobs } from "../client/client.ts";
import { Ad } from "../components/Ad.tsx";
import { Footer } from "../components/layout/Footer.tsx";
import { Page } from "../components/layout/Page.tsx";
import { BillingNotice } from "../features/billing/BillingNotice.tsx";
import { Converter } from "../features/converter/Converter.tsx";
import { Pricing } from "../features/pricing/Pricing.tsx";
import { Queue } from "../features/queue/Queue.tsx";
import { useHead } from "../platform/use-head.ts";
import { useFormats, useTexts } from "../texts/store.ts";
import { useTitle } from "./use-title.ts";

/** The parts below the queue: a wide advertisement, the prices, the footer. */
const PARTS_BELOW = 3;

/**
 * @returns how many of the parts below the queue are rendered. They are rendered once the queue's length is known,
 * so that they never move, and each in its own transition, so that the page responds to input meanwhile.
 */
function usePartsBelow(): number {
  const isQueueKnown = useJobs((state) => state.phase !== "loading");
  // After a client-side navigation all parts are shown at once.
  const [shown, setShown] = useState(isQueueKnown ? PARTS_BELOW : 0);
  // Once started it continues: a retry after a failure does not remove the parts again.
  const isDue = shown < PARTS_BELOW && (isQueueKnown || shown > 0);
  useEffect(() => {
    if (isDue) startTransition(() => setShown(shown + 1));
  }, [isDue, shown]);
  useEffect(() => {
    if (shown === PARTS_BELOW && window.location.hash === "#pricing")
      document.getElementById("pricing")?.scrollIntoView();
  }, [shown]);
  return shown;
}

/** The median duration of the last day's conversions, if known; its line is always reserved. */
function UsualTime() {
  const usualSeconds = useDevice((state) => state.config?.usualSeconds ?? null);
  const texts = useTexts().home;
  const formats = useFormats();
  return (
    <Box minH="5" lineHeight="1.25rem" fontSize="sm" fontWeight={600} color="accent.text" mb={{ base: "2", sm: "3.5" }}>
      {usualSeconds !== null && texts.usual(formats.span(wholeSpan(usualSeconds)))}
    </Box>
  );
}

/** @returns seconds up to two minutes, then whole minutes, rounded up */
function wholeSpan(seconds: number): number {
  return seconds <= 120 ? Math.ceil(seconds) : Math.ceil(seconds / 60) * 60;
}

/** The part that is rendered at once; memoized, so that the parts below do not render it again. */
const MainPart = memo(function MainPart() {
  const texts = useTexts().home;
  return (
    <>
      <Box as="h1" textStyle="display" mt={{ base: "7", sm: "12" }} mb="3">
        {texts.title.first}
        <br />
        {texts.title.second}
      </Box>
      <Box as="p" textStyle="lead" color="fg.muted" maxW="54ch" textWrap="balance" mb={{ base: "1", sm: "1.5" }}>
        {texts.lead}
      </Box>
      <UsualTime />
      <Converter />
      <Queue />
    </>
  );
});

const Notice = memo(() => <BillingNotice fallback={<Ad slot="header" />} />);
const Leaderboard = memo(() => <Ad slot="leaderboard" />);
const Prices = memo(Pricing);

export function HomePage() {
  const partsBelow = usePartsBelow();
  useTitle();
  useHead({ description: useTexts().descriptions.home });
  return (
    <Page>
      <Notice />
      <main>
        <MainPart />
        {partsBelow >= 1 && <Leaderboard />}
        {partsBelow >= 2 && <Prices />}
      </main>
      {partsBelow >= PARTS_BELOW && (
        <>
          <Ad slot="footer" />
          <Footer />
        </>
      )}
    </Page>
  );
}
