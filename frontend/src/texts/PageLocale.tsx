import { LocaleProvider } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { LANGUAGES } from "./languages.ts";
import { useLanguage } from "./store.ts";

/** Tells menus, switches and the like which way the page runs, for their arrow keys and places. */
export function PageLocale({ children }: { children: ReactNode }) {
  return <LocaleProvider locale={LANGUAGES[useLanguage()].locale}>{children}</LocaleProvider>;
}
