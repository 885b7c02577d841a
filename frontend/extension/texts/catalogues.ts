import type { Language } from "../../../common/languages.ts";
import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { en, type ExtensionTexts } from "./en.ts";
import { es } from "./es.ts";
import { hi } from "./hi.ts";

export const CATALOGUES: Readonly<Record<Language, ExtensionTexts>> = { en, de, es, hi, ar };
