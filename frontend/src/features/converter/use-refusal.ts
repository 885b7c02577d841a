import { useMemo } from "react";
import { useConverter, usePreview } from "../../client/converter.ts";
import { useDevice } from "../../client/stores.ts";
import { refusalOf } from "../../stores/refusal.ts";
import type { Refusal } from "../../stores/refusal.ts";

/** Why the link in the field cannot be converted to the chosen format, as far as its preview knows. */
export function useRefusal(): Refusal | null {
  const view = usePreview((state) => state.view);
  const format = useConverter((state) => state.format);
  const tier = useDevice((state) => state.tier);
  const hasList = useConverter((state) => state.list !== null);
  return useMemo(() => (hasList ? null : refusalOf(view, format, tier)), [hasList, view, format, tier]);
}
