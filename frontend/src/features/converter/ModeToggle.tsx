import { Box } from "@chakra-ui/react";
import { TIERS } from "../../../../common/tiers.ts";
import { useBatch, useDevice } from "../../client/client.ts";
import { Segments } from "../../components/Segments.tsx";
import { useTexts } from "../../texts/store.ts";

/** Whether the visitor's tier takes more than one link at once. */
export function useCanBatch(): boolean {
  return useDevice((state) => TIERS[state.tier].batchSize > 1);
}

export function useIsBatch(): boolean {
  const isChosen = useBatch((state) => state.isChosen);
  return useCanBatch() && isChosen;
}

const MODES = ["single", "batch"] as const;

/** One link or many; there while the tier has the choice. */
export function ModeToggle() {
  const canBatch = useCanBatch();
  const texts = useTexts().converter;
  const { isChosen, choose } = useBatch((state) => state);
  if (!canBatch) return null;
  return (
    <Box mb="2.5" animation="fadeIn 200ms">
      <Segments
        label={texts.mode}
        values={MODES}
        value={isChosen ? "batch" : "single"}
        onChange={(mode) => choose(mode === "batch")}
        isWide
      >
        {(mode) => texts[mode]}
      </Segments>
    </Box>
  );
}
