import { Box } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import { useDevice, useJobs } from "../app.ts";
import { Ad } from "../components/Ad.tsx";
import { Footer } from "../components/Footer.tsx";
import { Page } from "../components/Page.tsx";
import { BillingNotice } from "../features/billing/BillingNotice.tsx";
import { Converter } from "../features/converter/Converter.tsx";
import { Pricing } from "../features/pricing/Pricing.tsx";
import { Queue } from "../features/queue/Queue.tsx";
import { useHead } from "../head.ts";
import { useFormats, useTexts } from "../texts/store.ts";
import { useTitle } from "../title.ts";

/** Comes once the length of the queue is known, so that it never moves. */
function BelowQueue() {
  useEffect(() => {
    if (window.location.hash === "#pricing") document.getElementById("pricing")?.scrollIntoView();
  }, []);
  return (
    <>
      <Ad slot="leaderboard" />
      <Pricing />
    </>
  );
}

/** What the last day's conversions really took; nothing while too few are known. Its line is held free. */
function UsualTime() {
  const usualSeconds = useDevice((state) => state.config?.usualSeconds ?? null);
  const texts = useTexts().home;
  const formats = useFormats();
  return (
    <Box minH="5" lineHeight="1.25rem" fontSize="sm" fontWeight={600} color="accent.text" mb={{ base: "1", sm: "2" }}>
      {usualSeconds !== null && texts.usual(formats.span(wholeSpan(usualSeconds)))}
    </Box>
  );
}

/** Seconds up to two minutes, whole minutes after that; rounded up, so that nothing is promised. */
function wholeSpan(seconds: number): number {
  return seconds <= 120 ? Math.ceil(seconds) : Math.ceil(seconds / 60) * 60;
}

export function HomePage() {
  const isLoading = useJobs((state) => state.phase === "loading");
  // For good: asking once more after a failure does not take it away again.
  const [isQueueKnown, setIsQueueKnown] = useState(false);
  if (!isLoading && !isQueueKnown) setIsQueueKnown(true);
  useTitle();
  useHead({ description: useTexts().descriptions.home });
  const texts = useTexts().home;
  return (
    <Page>
      <BillingNotice otherwise={<Ad slot="header" />} />
      <main>
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
        {isQueueKnown && <BelowQueue />}
      </main>
      {isQueueKnown && (
        <>
          <Ad slot="footer" />
          <Footer />
        </>
      )}
    </Page>
  );
}
