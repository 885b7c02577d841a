import { Suspense, lazy, useEffect, useState } from "react";
import type { ReactNode } from "react";
import { useBatch } from "../../client/converter.ts";
import { Card } from "../../components/Card.tsx";
import { useTexts } from "../../texts/store.ts";
import { BAR_ROOM } from "./ConvertBar.tsx";
import { DropArea } from "./DropArea.tsx";
import { ModeToggle, useCanBatch, useIsBatch } from "./ModeToggle.tsx";
import { SingleForm } from "./SingleForm.tsx";
import { usePasteAnywhere, useSharedLink } from "./use-incoming.ts";

// Only Pro starts several at once.
const RefusedLines = lazy(() => import("./RefusedLines.tsx"));

/**
 * Loads the form for batches for visitors who may use it; for all others it would be a part of the first scripts.
 * Suspense would show an empty place at each switch, also when the form has been loaded before.
 * @param isWanted whether the visitor has chosen the form
 * @returns null until it has loaded
 * @throws TypeError at the next render when it is wanted and cannot be loaded
 */
function useBatchForm(isWanted: boolean): ReactNode {
  const canBatch = useCanBatch();
  const [form, setForm] = useState<ReactNode>(null);
  useEffect(() => {
    if (!canBatch || form) return;
    import("./BatchForm.tsx").then(
      ({ BatchForm }) => setForm(<BatchForm />),
      (error: unknown) => {
        // Otherwise it is loaded again when the visitor chooses it.
        if (isWanted)
          setForm(() => {
            throw error;
          });
      },
    );
  }, [canBatch, form, isWanted]);
  return form;
}

/** The bar at the lower edge of the window must not cover what has the focus. */
const CLEAR_OF_BAR = {
  "& form:has([data-convert-bar]) :is(a, button, input, select, textarea, [tabindex]):not([type=submit])": {
    scrollMarginBottom: BAR_ROOM,
  },
};

/** The form that starts conversions, at the top of the page. */
export function Converter() {
  const isBatch = useIsBatch();
  // Lines belong to the form for batches, videos of a list to both.
  const hasRefused = useBatch(({ refused: [first] }) => first && (isBatch || first.title !== undefined));
  const batchForm = useBatchForm(isBatch);
  const { name } = useTexts().converter;
  usePasteAnywhere();
  useSharedLink();
  return (
    <Card id="converter" aria-label={name} p={{ base: "2.5", sm: "3.5" }} css={CLEAR_OF_BAR}>
      <ModeToggle />
      {(isBatch && batchForm) || <SingleForm />}
      {hasRefused && (
        <Suspense>
          <RefusedLines />
        </Suspense>
      )}
      <DropArea />
    </Card>
  );
}
