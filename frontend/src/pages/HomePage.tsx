import { Box } from "@chakra-ui/react";
import { memo, startTransition, useEffect, useState } from "react";
import type { ReactNode } from "react";
import { useDevice, useSiteStatus } from "../client/stores.ts";
import { useIsSignedIn } from "../client/use-identity.ts";
import { Ad } from "../components/Ad.tsx";
import { Footer } from "../components/layout/Footer.tsx";
import { Page } from "../components/layout/Page.tsx";
import { useWasPrerendered } from "../components/use-is-hydrated.ts";
import { BillingNotice } from "../features/billing/BillingNotice.tsx";
import { Converter } from "../features/converter/Converter.tsx";
import { Pricing } from "../features/pricing/Pricing.tsx";
import { Queue } from "../features/queue/Queue.tsx";
import { useQueuePhase } from "../features/queue/use-job-views.ts";
import { SiteNotice } from "../features/sites/SiteNotice.tsx";
import { wasOpenedWithJobs } from "../platform/opening.ts";
import { useHead } from "../platform/use-head.ts";
import { wholeSpan } from "../texts/shown-seconds.ts";
import { useFormats, useTexts } from "../texts/store.ts";
import { useTitle } from "./use-title.ts";

/** Set by platform/opening.ts. */
const COMPACT = "html[data-compact] &";

/** A phone with the bars of its browser: Convert must be on the first screen. */
const SHORT_PHONE = "@media (max-width: 30em) and (max-height: 43em)";

/** The same with its keyboard open: the job must fit, with Download below Cancel. */
const WITH_KEYBOARD = "@media (max-width: 30em) and (max-height: 26em)";

/** The parts below the queue: a wide advertisement, the prices, the footer. */
const PARTS_BELOW = 3;

/**
 * @returns how many of the parts below the queue are rendered. In the browser they are rendered once the queue's length
 * is known, so that they never move, and each in its own transition, so that the page responds to input meanwhile.
 * Pages that were prerendered for signed-out visitors have all of them; see {@link Below}.
 */
function usePartsBelow(): number {
  const isQueueKnown = useQueuePhase() !== "loading";
  const isPrerendered = useWasPrerendered();
  const isSignedIn = useIsSignedIn();
  // A user may have jobs from another browser, of which nothing is stored in this one.
  const [isWhole] = useState(isPrerendered && !isSignedIn);
  // After a client-side navigation all parts are shown at once.
  const [shown, setShown] = useState(isQueueKnown || isWhole ? PARTS_BELOW : 0);
  // Once started it continues: a retry after a failure does not remove the parts again.
  const isDue = shown < PARTS_BELOW && (isQueueKnown || shown > 0);
  useEffect(() => {
    if (isDue) startTransition(() => setShown(shown + 1));
  }, [isDue, shown]);
  // Without jobs the parts were in the page from the start, and the browser has scrolled to the section.
  const isLate = shown === PARTS_BELOW && isQueueKnown && !(isWhole && !wasOpenedWithJobs());
  useEffect(() => {
    if (isLate && window.location.hash === "#pricing") document.getElementById("pricing")?.scrollIntoView();
  }, [isLate]);
  return shown;
}

/** Parts below the queue; theme/base.css hides them for a visitor who had jobs until the queue's length is known. */
function Below({ children }: { children: ReactNode }) {
  const isQueueKnown = useQueuePhase() !== "loading";
  return <div data-below={isQueueKnown ? "" : "unknown"}>{children}</div>;
}

/**
 * The median duration of the last day's conversions, if known; or that a site fails at the moment. The space is always
 * reserved: on phones two lines, which the longest notice needs.
 */
function StatusLine() {
  const isFailing = useSiteStatus((state) => state.failing.length > 0);
  const usualSeconds = useDevice((state) => state.config?.usualSeconds ?? null);
  const texts = useTexts().home;
  const formats = useFormats();
  return (
    <Box
      display="flex"
      alignItems="flex-end"
      minH={{ base: "10", sm: "5" }}
      lineHeight="1.25rem"
      fontSize="sm"
      fontWeight={600}
      color="accent.text"
      mb={{ base: "2", sm: "3.5" }}
      css={{ [SHORT_PHONE]: { mb: "1" }, [COMPACT]: { minH: "0", mb: "0" } }}
    >
      <SiteNotice />
      {!isFailing && usualSeconds !== null && (
        // Beside a job it would be read as that job's time.
        <Box as="span" css={{ [COMPACT]: { display: "none" } }}>
          {texts.usual(formats.span(wholeSpan(usualSeconds)))}
        </Box>
      )}
    </Box>
  );
}

/** Title and notice share one place, so that the notice moves nothing, with the same gap above and below. */
const COMPACT_HEAD = {
  [COMPACT]: {
    display: "grid",
    alignItems: "center",
    minH: { base: "10", sm: "0" },
    my: { base: "1", sm: "4" },
    "& > *": { gridArea: "1 / 1" },
    "&:has([data-failing]) > h1": { opacity: 0 },
  },
  [WITH_KEYBOARD]: { [COMPACT]: { minH: "0" } },
};

const COMPACT_TITLE = {
  [COMPACT]: {
    m: "0",
    fontSize: { base: "1.25rem", sm: "1.75rem" },
    lineHeight: 1.2,
    "& br": { display: "none" },
  },
};

const SHORT_TITLE = { mt: "2", mb: "1", fontSize: "1.75rem" };
const SHORT_LEAD = { fontSize: "0.875rem", lineHeight: 1.35, mb: "0" };

/** The part that is rendered at once; memoized, so that the parts below do not render it again. */
const MainPart = memo(function MainPart() {
  const texts = useTexts().home;
  return (
    <>
      <Box css={COMPACT_HEAD}>
        <Box
          as="h1"
          textStyle="display"
          mt={{ base: "6", sm: "12" }}
          mb={{ base: "2", sm: "3" }}
          css={{ [SHORT_PHONE]: SHORT_TITLE, ...COMPACT_TITLE }}
        >
          {texts.title.first} <br />
          {texts.title.second}
        </Box>
        <Box
          as="p"
          textStyle="lead"
          color="fg.muted"
          maxW="54ch"
          textWrap="balance"
          mb={{ base: "1", sm: "1.5" }}
          css={{ [SHORT_PHONE]: SHORT_LEAD, [COMPACT]: { display: "none" } }}
        >
          {texts.lead}
        </Box>
        <StatusLine />
      </Box>
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
  useHead({ description: useTexts().description });
  return (
    <Page>
      <Notice />
      <main>
        <MainPart />
        <Below>
          {partsBelow >= 1 && <Leaderboard />}
          {partsBelow >= 2 && <Prices />}
        </Below>
      </main>
      {partsBelow >= PARTS_BELOW && (
        <Below>
          <Ad slot="footer" />
          <Footer />
        </Below>
      )}
    </Page>
  );
}
