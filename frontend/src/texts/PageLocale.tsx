import { LocaleProvider } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { LANGUAGES } from "./languages.ts";
import { useLanguage } from "./store.ts";

/** Sets the text direction for Chakra's menus and switches. */
export function PageLocale({ children }: { children: ReactNode }) {
  return <LocaleProvider locale={LANGUAGES[useLanguage()].locale}>{children}</LocaleProvider>;
}
