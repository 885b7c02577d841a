import { createPageTexts } from "../page-texts.ts";
import { en } from "./en.ts";

export const useFollowTexts = createPageTexts(en, {
  de: async () => (await import("./de.ts")).de,
  es: async () => (await import("./es.ts")).es,
  hi: async () => (await import("./hi.ts")).hi,
  ar: async () => (await import("./ar.ts")).ar,
});
