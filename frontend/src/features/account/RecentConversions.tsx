import { Box, Button, Flex } from "@chakra-ui/react";
import { useMemo, useState } from "react";
import { useShallow } from "zustand/react/shallow";
import { live } from "../../client/live.ts";
import { useRemovals } from "../../client/removals.ts";
import { useJobs } from "../../client/stores.ts";
import { Card } from "../../components/Card.tsx";
import { Input } from "../../components/Input.tsx";
import { Link } from "../../components/Link.tsx";
import { jobsToShow } from "../../stores/jobs.ts";
import { useAccountTexts } from "../../texts/account/index.ts";
import { useTexts } from "../../texts/store.ts";
import { search } from "../lists/search.ts";
import { JobList } from "../queue/JobList.tsx";
import { LoadingQueue, UnreachableQueue } from "../queue/QueueStates.tsx";

/** Shown at first; a button shows the rest. */
const ROWS_SHOWN = 10;

/** @returns ids of the jobs whose title has all words of the query, newest first */
function useFound(query: string): readonly string[] {
  return useJobs(
    useShallow((state) => {
      const jobs = jobsToShow(state);
      return search(jobs, query).flatMap((index) => jobs[index]?.id ?? []);
    }),
  );
}

/** Whether a removed row keeps its place, also if it was the last one. */
const useHasHeldRow = (): boolean => useRemovals(({ heldId }) => heldId !== null);

function Found({ query }: { query: string }) {
  const texts = useAccountTexts();
  const { showAll } = useTexts().queue;
  const ids = useFound(query);
  const hasHeldRow = useHasHeldRow();
  const [showsAll, setShowsAll] = useState(false);
  const shown = useMemo(() => (showsAll ? ids : ids.slice(0, ROWS_SHOWN)), [ids, showsAll]);
  return (
    <>
      {ids.length === 0 && !hasHeldRow && (
        <Box px="4" py="6" color="fg.muted">
          {texts.noneFound}
        </Box>
      )}
      <JobList jobIds={shown} place="dashboard" aria-label={texts.recent} />
      {shown.length < ids.length && (
        <Button
          variant="ghost"
          w="full"
          borderRadius="0"
          borderTop="1px solid {colors.border}"
          onClick={() => setShowsAll(true)}
        >
          {showAll(ids.length)}
        </Button>
      )}
    </>
  );
}

/** The newest conversions, updated live, with the rows of the queue, and a search in all titles. */
export function RecentConversions({ converterPath }: { converterPath: string }) {
  const texts = useAccountTexts();
  const [query, setQuery] = useState("");
  const phase = useJobs((state) => state.phase);
  const isEmpty = useJobs((state) => jobsToShow(state).length === 0);
  const hasRows = useHasHeldRow() || !isEmpty;
  const isFound = phase === "ready" && hasRows;
  return (
    <Box as="section" aria-labelledby="recent-heading">
      <Flex wrap="wrap" align="center" gap="3" mt="11" mb="3.5">
        <Box as="h2" id="recent-heading" textStyle="heading" flex="1 1 auto">
          {texts.recent}
        </Box>
        {isFound && (
          <Input
            type="search"
            name="titles"
            aria-label={texts.search}
            placeholder={texts.search}
            autoComplete="off"
            enterKeyHint="search"
            minH="11"
            w={{ base: "full", sm: "16rem" }}
            fontSize="sm"
            value={query}
            onChange={({ target }) => setQuery(target.value)}
          />
        )}
      </Flex>
      <Card as="div" overflow="hidden">
        {phase === "loading" && <LoadingQueue />}
        {phase === "failed" && <UnreachableQueue onRetry={() => void live.retry()} />}
        {phase === "ready" && !hasRows && (
          <Flex direction="column" align="center" gap="4" py="10" px="4">
            <Box fontWeight={600}>{texts.none}</Box>
            <Button asChild variant="subtle">
              <Link to={converterPath}>{texts.start}</Link>
            </Button>
          </Flex>
        )}
        {isFound && <Found query={query} />}
      </Card>
    </Box>
  );
}
