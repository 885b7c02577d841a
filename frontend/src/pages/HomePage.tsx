import { Box } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import { useJobs } from "../app.ts";
import { Ad } from "../components/Ad.tsx";
import { Footer } from "../components/Footer.tsx";
import { Page } from "../components/Page.tsx";
import { BillingNotice } from "../features/billing/BillingNotice.tsx";
import { Converter } from "../features/converter/Converter.tsx";
import { Pricing } from "../features/pricing/Pricing.tsx";
import { Queue } from "../features/queue/Queue.tsx";
import { useTitle } from "../title.ts";

/** What stands below the queue. Comes once the length of the queue is known, so that it never moves. */
function BelowQueue() {
  useEffect(() => {
    if (window.location.hash === "#pricing") document.getElementById("pricing")?.scrollIntoView();
  }, []);
  return (
    <>
      <Ad slot="leaderboard" />
      <Pricing />
      <Ad slot="footer" />
      <Footer />
    </>
  );
}

export function HomePage() {
  const isLoading = useJobs((state) => state.phase === "loading");
  // For good: asking once more after a failure does not take it away again.
  const [isQueueKnown, setIsQueueKnown] = useState(false);
  if (!isLoading && !isQueueKnown) setIsQueueKnown(true);
  useTitle();
  return (
    <Page>
      <BillingNotice otherwise={<Ad slot="header" />} />
      <main>
        <Box as="h1" textStyle="display" mt={{ base: "7", sm: "12" }} mb="3">
          Paste a link.
          <br />
          Keep the tape.
        </Box>
        <Box as="p" textStyle="lead" color="fg.muted" maxW="54ch" textWrap="balance" mb={{ base: "5", sm: "7" }}>
          MP3 or MP4 from a video link, with a bar that tells the truth. No account needed.
        </Box>
        <Converter />
        <Queue />
        {isQueueKnown && <BelowQueue />}
      </main>
    </Page>
  );
}
