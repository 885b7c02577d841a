/** Below an opened list: its new videos can come by themselves. */
import { Box, Button, Flex } from "@chakra-ui/react";
import { useState } from "react";
import { TIERS } from "../../../../common/tiers.ts";
import { ApiError, isFailedCall, sentenceFor } from "../../api/errors.ts";
import { listApi } from "../../api/list-api.ts";
import { converter } from "../../client/converter.ts";
import { choices, useDevice } from "../../client/stores.ts";
import { Link } from "../../components/Link.tsx";
import { choicesForMany } from "../../stores/choices.ts";
import { useListTexts } from "../../texts/lists/index.ts";

/** @param link of the list, or of a video in it */
export function FollowLine({ link }: { readonly link: string }) {
  const isInPlan = useDevice(({ tier }) => TIERS[tier].maxFollows > 0);
  const texts = useListTexts().follow;
  if (isInPlan) return <Following key={link} link={link} />;
  // The way to Pro stands in the next line.
  return <Box textStyle="meta">{texts.offerForPro}</Box>;
}

const isConflict = (problem: unknown): boolean => problem instanceof ApiError && problem.code === "conflict";

function Following({ link }: { readonly link: string }) {
  const [state, setState] = useState<"idle" | "busy" | "followed">("idle");
  const [problem, setProblem] = useState<unknown>();
  const texts = useListTexts().follow;

  async function follow(): Promise<void> {
    setState("busy");
    setProblem(undefined);
    const { format } = converter.getState();
    try {
      await listApi.follow(link, format, choicesForMany(format, choices.getState().choices));
      setState("followed");
    } catch (error) {
      if (!isFailedCall(error)) throw error;
      setProblem(error);
      setState("idle");
    }
  }

  const isKnown = state === "followed" || isConflict(problem);
  return (
    <div>
      <Flex wrap="wrap" align="center" columnGap="3" rowGap="1" minH="11">
        <Box flex="1" minW="min(14rem, 100%)" textStyle="meta" role="status">
          {state === "followed" ? texts.done : texts.offer}
        </Box>
        {isKnown ? (
          <Button variant="outline" size="sm" asChild>
            <Link to="/following">{texts.seeAll}</Link>
          </Button>
        ) : (
          <Button variant="outline" size="sm" disabled={state === "busy"} onClick={() => void follow()}>
            {state === "busy" ? texts.busy : texts.follow}
          </Button>
        )}
      </Flex>
      {problem !== undefined && (
        <Box role="alert" textStyle="meta" color="bad">
          {isConflict(problem) ? texts.conflict : sentenceFor(problem, texts.failed)}
        </Box>
      )}
    </div>
  );
}
