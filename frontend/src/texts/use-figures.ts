import { useMemo } from "react";
import { createFigures } from "./figures.ts";
import type { Figures } from "./figures.ts";
import { useFormats } from "./store.ts";

/** The figures of the longer pages, in the language of the page. */
export function useFigures(): Figures {
  const formats = useFormats();
  return useMemo(() => createFigures(formats), [formats]);
}
