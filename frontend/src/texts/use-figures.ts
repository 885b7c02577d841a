import { useMemo } from "react";
import { createFigures } from "./figures.ts";
import type { Figures } from "./figures.ts";
import { useFormats } from "./store.ts";

/** The figures of the help and legal pages, formatted in the page's language. */
export function useFigures(): Figures {
  const formats = useFormats();
  return useMemo(() => createFigures(formats), [formats]);
}
