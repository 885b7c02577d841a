import { createPageTexts } from "../page-texts.ts";
import en from "./en.md";

export const useTermsTexts = createPageTexts(en, {
  de: async () => (await import("./de.md")).default,
  es: async () => (await import("./es.md")).default,
  hi: async () => (await import("./hi.md")).default,
  ar: async () => (await import("./ar.md")).default,
});
