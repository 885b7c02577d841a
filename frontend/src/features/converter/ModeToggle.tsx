import { Box } from "@chakra-ui/react";
import { TIERS } from "../../../../common/tiers.ts";
import { useBatch } from "../../client/converter.ts";
import { useDevice } from "../../client/stores.ts";
import { Segments } from "../../components/Segments.tsx";
import { useTexts } from "../../texts/store.ts";

/** Whether the visitor's tier allows batches. */
export function useCanBatch(): boolean {
  return useDevice((state) => TIERS[state.tier].batchSize > 1);
}

export function useIsBatch(): boolean {
  const isChosen = useBatch((state) => state.isChosen);
  return useCanBatch() && isChosen;
}

const MODES = ["single", "batch"] as const;

/** Switches between one link and a batch; empty for tiers without batches. */
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
