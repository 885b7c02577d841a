/** The fonts of the provider's form, which is in its own frame and does not have those of the page. */
import type { CustomFontSource } from "@stripe/stripe-js";
import interUrl from "../../theme/fonts/inter.woff2?url";

/** The server allows other sites to load its fonts. */
export function providerFonts(): CustomFontSource[] {
  return [{ family: "Inter", src: `url(${new URL(interUrl, window.location.href).href})`, weight: "400 700" }];
}
