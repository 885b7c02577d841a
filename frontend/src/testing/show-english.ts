/** Set-up of unit tests: texts are in English until a test shows another language. */
import { showLanguage } from "../texts/store.ts";

await showLanguage("en");
