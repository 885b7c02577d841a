import { Box, chakra } from "@chakra-ui/react";
import { useId } from "react";
import { useStore } from "zustand";
import { TIERS } from "../../../../common/tiers.ts";
import { useConverter } from "../../client/converter.ts";
import { useDevice } from "../../client/stores.ts";
import { useListTexts } from "../../texts/lists/index.ts";
import { chosenEntries, isSingleIn, tapeProblem } from "./list-store.ts";
import type { ListStore } from "./list-store.ts";

/** Whether what is chosen also becomes one file. Where it cannot, it says why. */
export function TapeSwitch({ store }: { readonly store: ListStore }) {
  const isSingle = useDevice(({ tier }) => isSingleIn(tier));
  const asOneFile = useStore(store, (state) => state.asOneFile);
  const count = useStore(store, (state) => chosenEntries(state).length);
  const format = useConverter((state) => state.format);
  const { tape } = useListTexts();
  const nameId = useId();
  const remarkId = useId();
  if (isSingle) return null;
  const problem = tapeProblem(count, format);
  return (
    <chakra.label display="flex" alignItems="center" gap="3" minH="11" px="1" cursor={problem ? "default" : "pointer"}>
      <chakra.input
        type="checkbox"
        role="switch"
        boxSize="1.25rem"
        flexShrink={0}
        accentColor="accent.text"
        checked={asOneFile && problem === null}
        disabled={problem !== null}
        aria-labelledby={nameId}
        aria-describedby={remarkId}
        onChange={({ target }) => store.getState().setAsOneFile(target.checked)}
      />
      <Box minW="0">
        <Box id={nameId} fontWeight={600} color={problem ? "fg.muted" : undefined}>
          {tape.asOne}
        </Box>
        <Box id={remarkId} textStyle="meta">
          {problem ? tape.problems[problem](TIERS.pro.batchSize) : tape.purpose}
        </Box>
      </Box>
    </chakra.label>
  );
}
