import { useMemo } from "react";
import { useConverter, usePreview } from "../../client/converter.ts";
import { useDevice } from "../../client/stores.ts";
import { refusalOf, withRefusal } from "../../stores/refusal.ts";
import type { Refusal } from "../../stores/refusal.ts";

/** Why the link in the field cannot be converted to the chosen format, as far as its preview or a refused request knows. */
export function useRefusal(): Refusal | null {
  const view = usePreview((state) => state.view);
  const { format, problem } = useConverter((state) => state);
  const tier = useDevice((state) => state.tier);
  const hasList = useConverter((state) => state.list !== null);
  return useMemo(
    () => (hasList ? null : refusalOf(withRefusal(view, problem), format, tier)),
    [hasList, view, problem, format, tier],
  );
}
