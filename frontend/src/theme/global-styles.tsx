/**
 * The rules for the page as a whole: what browsers differ in, plain elements, animations, and the tokens
 * as custom properties. Worked out when the page is built, so that no phone has to.
 */
import createCache from "@emotion/cache";
import { CacheProvider } from "@emotion/react";
import createEmotionServer from "@emotion/server/create-instance";
import { ChakraProvider, createSystem, defaultBaseConfig, defineConfig } from "@chakra-ui/react";
import { renderToString } from "react-dom/server";
import { config } from "./theme.ts";

const globalConfig = defineConfig({
  preflight: true,
  globalCss: {
    html: { bg: "bg", color: "fg", fontFamily: "body", lineHeight: "1.5", scrollPaddingTop: "5.25rem" },
    body: { minHeight: "100dvh" },
    // Which way the end of a line is, for what moves there.
    "[dir=rtl]": { "--toward-end": "-1" },
    "*::placeholder": { color: "fg.muted", opacity: 1 },
    "*::selection": { bg: "accent", color: "accent.ink" },
    // Plain elements with one fixed rule each: what moves a hundred times a second must not work out its style again.
    ".progress-bar": { h: "1.5", borderRadius: "full", bg: "track", overflow: "hidden" },
    ".progress-bar > div": {
      h: "full",
      borderRadius: "full",
      bg: "accent",
      // A little longer than the 200 ms between two pushes, so that the bar flows instead of stepping.
      transition: "transform 260ms linear",
      _motionReduce: { transition: "none" },
      // A layer of its own for good, or each push would make one and take it away again.
      willChange: "transform",
    },
    // What was last heard, from before the connection was lost: it stands still and looks it.
    "[data-stale] .progress-bar > div": { transition: "none", bg: "fg.muted", opacity: 0.55 },
    "[data-stale] [data-outlook]": { visibility: "hidden" },
    ":where(a, button, input, label, [tabindex])": {
      _focusVisible: { outline: "2px solid {colors.accent.text}", outlineOffset: "2px" },
    },
  },
});

/** @returns a style sheet that begins with the order of its layers */
export function globalStyles(): string {
  const cache = createCache({ key: "css" });
  // Rules are gathered instead of standing beside each element.
  cache.compat = true;
  const system = createSystem(defaultBaseConfig, config, globalConfig);
  const html = renderToString(
    <CacheProvider value={cache}>
      <ChakraProvider value={system}>{null}</ChakraProvider>
    </CacheProvider>,
  );
  return createEmotionServer(cache).extractCritical(html).css;
}
