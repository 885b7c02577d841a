import { Suspense, lazy } from "react";
import { useBatch, useConverter, usePreview } from "../../client/converter.ts";
import { useChoices } from "../../client/stores.ts";
import { useRefusal } from "./use-refusal.ts";

// Loaded with the first preview: most visitors choose a format only.
const ChoicesButton = lazy(() => import("../choices/ChoicesButton.tsx"));
const ChoicesPanel = lazy(() => import("../choices/ChoicesPanel.tsx"));

/** Where the choices for the previewed video, a list or a batch are: the button that opens them, and their fields. */
export function ChoicesPlace({ part }: { readonly part: "button" | "panel" }) {
  const view = usePreview((state) => state.view);
  const isOpen = useChoices((state) => state.isOpen);
  const hasList = useConverter((state) => state.list !== null);
  const isBatch = useBatch((state) => state.isChosen);
  // On phones there is no room for the button beside Upgrade and "Take a part", which opens the choices too.
  const isOffered = useRefusal()?.isLiftedByPart === true && !isOpen;
  const preview = view.phase === "ready" && !hasList && !isBatch ? view.preview : null;
  if (isOffered || (preview === null && !hasList && !isBatch)) return null;
  return <Suspense>{part === "button" ? <ChoicesButton /> : isOpen && <ChoicesPanel preview={preview} />}</Suspense>;
}
