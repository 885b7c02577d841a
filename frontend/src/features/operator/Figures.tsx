import { Box, chakra } from "@chakra-ui/react";
import type { OperatorState } from "../../../../common/operator.ts";
import type { Tier } from "../../../../common/tiers.ts";
import { useOperatorTexts } from "../../texts/operator/index.ts";
import { FigureCard } from "../account/FigureCard.tsx";
import { ageOf } from "./format.ts";

const Cards = chakra("div", {
  base: {
    display: "grid",
    gap: { base: "3", sm: "4" },
    gridTemplateColumns: { base: "repeat(2, minmax(0, 1fr))", sm: "repeat(4, minmax(0, 1fr))" },
  },
});

/** The state in four figures. */
export function Figures({ queue, failures, processes }: OperatorState) {
  const texts = useOperatorTexts().figures;
  const byTier = (field: "waiting" | "running" | "waitingForSite") => {
    const of = (tier: Tier) => queue.find((row) => row.tier === tier)?.[field] ?? 0;
    return { free: of("free"), pro: of("pro"), all: of("free") + of("pro") };
  };
  const waiting = byTier("waiting");
  const running = byTier("running");
  const forSite = byTier("waitingForSite").all;
  const oldest = Math.max(0, ...queue.map(({ oldestSeconds }) => oldestSeconds));
  const failed = failures.reduce((sum, { count }) => sum + count, 0);
  return (
    <Cards>
      <FigureCard
        name={texts.waiting}
        figure={waiting.all}
        remark={
          <>
            {texts.byTier(waiting.free, waiting.pro)}
            {oldest > 0 && <Box>{texts.oldest(ageOf(oldest))}</Box>}
            {forSite > 0 && <Box>{texts.forSite(forSite)}</Box>}
          </>
        }
      />
      <FigureCard name={texts.running} figure={running.all} remark={texts.byTier(running.free, running.pro)} />
      <FigureCard name={texts.failed} figure={failed} />
      <FigureCard
        name={texts.sockets}
        figure={processes.reduce((sum, { sockets }) => sum + (sockets ?? 0), 0)}
        remark={texts.processes(processes.length)}
      />
    </Cards>
  );
}
