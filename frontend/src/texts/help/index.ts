import { createPageTexts } from "../page-texts.ts";
import { en } from "./en.ts";

export const useHelpTexts = createPageTexts(en, {});
