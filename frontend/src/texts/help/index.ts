import { createPageTexts } from "../page-texts.ts";
import type { Prose } from "../prose.ts";
import enProse from "./en.md";
import { en, type HelpTexts } from "./en.ts";

/** The questions with their answers, and the texts of what else is on the page. */
const both = (texts: HelpTexts, prose: Prose) => ({ ...texts, prose });

export const useHelpTexts = createPageTexts(both(en, enProse), {
  de: async () => both((await import("./de.ts")).de, (await import("./de.md")).default),
  es: async () => both((await import("./es.ts")).es, (await import("./es.md")).default),
  hi: async () => both((await import("./hi.ts")).hi, (await import("./hi.md")).default),
  ar: async () => both((await import("./ar.ts")).ar, (await import("./ar.md")).default),
});
