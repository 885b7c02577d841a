import { Box, SegmentGroup } from "@chakra-ui/react";
import { TIERS } from "../../../../common/tiers.ts";
import { useBatch, useDevice } from "../../app.ts";
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
      <SegmentGroup.Root
        aria-label={texts.mode}
        value={isChosen ? "batch" : "single"}
        onValueChange={({ value }) => choose(value === "batch")}
        w={{ base: "full", sm: "auto" }}
      >
        <SegmentGroup.Indicator />
        {MODES.map((mode) => (
          <SegmentGroup.Item key={mode} value={mode}>
            <SegmentGroup.ItemText whiteSpace="nowrap">{texts[mode]}</SegmentGroup.ItemText>
            <SegmentGroup.ItemHiddenInput />
          </SegmentGroup.Item>
        ))}
      </SegmentGroup.Root>
    </Box>
  );
}
