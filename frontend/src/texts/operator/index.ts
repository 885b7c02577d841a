import { createPageTexts } from "../page-texts.ts";
import { en } from "./en.ts";

/** In English only: the few people who run a site read its manual in English too. */
export const useOperatorTexts = createPageTexts(en, {});
