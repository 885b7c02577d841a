/** What the account follows, with the form that follows a further list. */
import { Box, Button, Flex, chakra } from "@chakra-ui/react";
import { useEffect } from "react";
import { useStore } from "zustand";
import { isActive } from "../../../../common/job.ts";
import { TIERS, type Tier } from "../../../../common/tiers.ts";
import { jobs } from "../../client/stores.ts";
import { Card } from "../../components/Card.tsx";
import { Link } from "../../components/Link.tsx";
import { Skeleton } from "../../components/Skeleton.tsx";
import { jobsToShow } from "../../stores/jobs.ts";
import { useFollowTexts } from "../../texts/follows/index.ts";
import { FollowProblem } from "./FollowProblem.tsx";
import { FollowRow } from "./FollowRow.tsx";
import { follows } from "./follow-store.ts";
import { NewFollow } from "./NewFollow.tsx";

function Loading() {
  return (
    <Card as="div" role="status" aria-label={useFollowTexts().loading} p="4">
      <Skeleton h="5" maxW="18rem" mb="3" />
      <Skeleton h="4" maxW="12rem" mb="6" />
      <Skeleton h="4" mb="3" />
      <Skeleton h="4" maxW="80%" />
    </Card>
  );
}

function NotLoaded() {
  const texts = useFollowTexts();
  return (
    <Flex role="alert" wrap="wrap" align="center" gap="3">
      {texts.notLoaded}
      <Button size="sm" variant="outline" onClick={() => void follows.load()}>
        {texts.retry}
      </Button>
    </Flex>
  );
}

function ForPro() {
  const texts = useFollowTexts();
  return (
    <Card as="div" p="4" mb="5">
      <Flex wrap="wrap" align="center" justify="space-between" gap="3">
        <Box>{texts.needsPro(TIERS.pro.maxFollows)}</Box>
        <Button asChild size="sm">
          <Link to="/plans">{texts.upgrade}</Link>
        </Button>
      </Flex>
    </Card>
  );
}

function Empty() {
  const texts = useFollowTexts();
  return (
    <Box data-empty="" py="2">
      <Box fontWeight={600}>{texts.none}</Box>
      <Box textStyle="meta">{texts.noneHow}</Box>
    </Box>
  );
}

/** @returns a text that differs when a job has come or ended */
function changesOf(state: ReturnType<typeof jobs.getState>): string {
  const all = jobsToShow(state);
  return `${all.length} ${all.filter(({ status }) => isActive(status)).length}`;
}

/** Reads the list anew when a job has come or ended. */
function useFresh(): void {
  useEffect(() => {
    let before = changesOf(jobs.getState());
    return jobs.subscribe((state) => {
      const now = changesOf(state);
      if (now !== before && follows.view.getState().phase === "ready") void follows.read();
      before = now;
    });
  }, []);
}

export function Follows({ tier }: { readonly tier: Tier }) {
  const { phase, items, problem } = useStore(follows.view);
  useEffect(() => void follows.load(), []);
  useFresh();
  const isInPlan = TIERS[tier].maxFollows > 0;
  return (
    <>
      {isInPlan ? <NewFollow /> : <ForPro />}
      {problem !== undefined && phase !== "failed" && <FollowProblem problem={problem} />}
      {phase === "loading" ? (
        <Loading />
      ) : phase === "failed" ? (
        <NotLoaded />
      ) : items.length === 0 ? (
        isInPlan && <Empty />
      ) : (
        <chakra.ul listStyleType="none" display="grid" gap="4">
          {items.map((follow) => (
            <FollowRow key={follow.id} follow={follow} />
          ))}
        </chakra.ul>
      )}
    </>
  );
}
