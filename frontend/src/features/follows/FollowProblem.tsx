import { Box } from "@chakra-ui/react";
import { TIERS } from "../../../../common/tiers.ts";
import { ApiError, sentenceFor } from "../../api/errors.ts";
import { useFollowTexts } from "../../texts/follows/index.ts";
import { useFormats } from "../../texts/store.ts";

/** Why the last call failed. */
export function FollowProblem({ problem }: { readonly problem: unknown }) {
  const texts = useFollowTexts();
  const { number } = useFormats();
  const isConflict = problem instanceof ApiError && problem.code === "conflict";
  return (
    <Box role="alert" color="bad" mb="4">
      {isConflict ? texts.conflict(number(TIERS.pro.maxFollows)) : sentenceFor(problem, texts.failed)}
    </Box>
  );
}
