/** The operator's page. To everybody else it is the page of an unknown path. */
import { Box, Button, Flex, chakra } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { OPERATOR_PATH } from "../../../common/pages.ts";
import type { OperatorState } from "../../../common/operator.ts";
import { Footer } from "../components/layout/Footer.tsx";
import { Page } from "../components/layout/Page.tsx";
import { TWO_COLUMNS } from "../components/layout/wide-bar.ts";
import { saveTarget } from "../features/account/saved-target.ts";
import { Accounts } from "../features/operator/Accounts.tsx";
import { Failures } from "../features/operator/Failures.tsx";
import { Figures } from "../features/operator/Figures.tsx";
import { clockOf } from "../features/operator/format.ts";
import { Follows } from "../features/operator/Follows.tsx";
import { History } from "../features/operator/History.tsx";
import { AnyHostNotice, PauseButton, PausedNotice } from "../features/operator/Intake.tsx";
import { OneJob } from "../features/operator/OneJob.tsx";
import { Processes } from "../features/operator/Processes.tsx";
import { Records } from "../features/operator/Records.tsx";
import { RunningJobs } from "../features/operator/RunningJobs.tsx";
import { Sites } from "../features/operator/Sites.tsx";
import { Subscriptions } from "../features/operator/Subscriptions.tsx";
import { useWatch } from "../features/operator/use-watch.ts";
import type { Watch } from "../features/operator/use-watch.ts";
import { useHead } from "../platform/use-head.ts";
import { useOperatorTexts } from "../texts/operator/index.ts";
import { useTexts } from "../texts/store.ts";
import { NotFoundPage } from "./NotFoundPage.tsx";
import { useTitle } from "./use-title.ts";
import { Skeleton } from "../components/Skeleton.tsx";

/** Asks for a fresh sign-in, after which this page is open again. */
function SignInAgain() {
  const texts = useOperatorTexts().stale;
  function signIn(): void {
    saveTarget(OPERATOR_PATH);
    window.location.assign("/api/login?fresh");
  }
  return (
    <Box role="alert" mt="10">
      <Box as="h1" textStyle="heading" mb="2">
        {texts.title}
      </Box>
      <Box textStyle="lead" color="fg.muted" mb="6">
        {texts.text}
      </Box>
      <Button onClick={signIn}>{texts.signIn}</Button>
    </Box>
  );
}

function Away() {
  const texts = useOperatorTexts().away;
  return (
    <Box role="alert" my="4" px="4" py="3" borderRadius="lg" bg="bad.soft" color="bad">
      <Box fontWeight={600}>{texts.title}</Box>
      {texts.text}
    </Box>
  );
}

/** Nothing of it says whose page it is. */
function Loading() {
  return (
    <Box role="status" aria-label={useOperatorTexts().loading} pt="10">
      <Skeleton h="12" maxW="16rem" mb="6" />
      <Skeleton h="8rem" mb="6" />
      <Skeleton h="16rem" />
    </Box>
  );
}

function Heading({ state, isLive }: { state: OperatorState; isLive: boolean }) {
  const texts = useOperatorTexts();
  return (
    <Flex wrap="wrap" align="end" justify="space-between" gap="3" mt={{ base: "6", sm: "8" }} mb="5">
      <div>
        <Box as="h1" textStyle="heading" fontSize="2xl">
          {texts.title}
        </Box>
        <Box textStyle="meta" fontVariantNumeric="tabular-nums">
          {isLive ? texts.live : texts.notLive} · {texts.asOf(clockOf(state.asOf))}
        </Box>
      </div>
      {!state.intake.isPaused && <PauseButton />}
    </Flex>
  );
}

/** Side by side on wide screens: what runs, and what is looked up. */
const Columns = chakra("div", {
  base: {
    [TWO_COLUMNS]: {
      display: "grid",
      gridTemplateColumns: "repeat(2, minmax(0, 1fr))",
      columnGap: "8",
      alignItems: "start",
    },
  },
});

function Console({ watch, state }: { watch: Watch; state: OperatorState }) {
  return (
    <>
      <Heading state={state} isLive={watch.isLive} />
      {watch.phase === "away" && <Away />}
      {state.intake.isPaused && <PausedNotice {...state} />}
      <AnyHostNotice />
      <Figures {...state} />
      <Columns>
        <div>
          <History />
          <RunningJobs {...state} />
          <Failures failures={state.failures} />
          <Sites sites={state.sites} />
          <Follows follows={state.follows} feeds={state.feeds} />
          <Processes {...state} />
        </div>
        <div>
          <Subscriptions {...state.billing} />
          <Accounts />
          <OneJob />
          <Records />
        </div>
      </Columns>
    </>
  );
}

function contentOf(watch: Watch): ReactNode {
  if (watch.phase === "stale") return <SignInAgain />;
  if (watch.state) return <Console watch={watch} state={watch.state} />;
  return watch.phase === "away" ? <Away /> : <Loading />;
}

function Shown({ watch }: { watch: Watch }) {
  const { title } = useOperatorTexts();
  useTitle(watch.state ? title : undefined);
  useHead({ description: useTexts().description, isPrivate: true });
  return (
    <Page isWide>
      <Box as="main" minH="70vh" lang="en" dir="ltr">
        {contentOf(watch)}
      </Box>
      <Footer />
    </Page>
  );
}

export function OperatorPage() {
  const watch = useWatch();
  return watch.phase === "absent" ? <NotFoundPage /> : <Shown watch={watch} />;
}
