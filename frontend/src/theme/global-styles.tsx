/**
 * Global style rules: browser reset, plain elements, animations, and the tokens as custom properties.
 * Generated at build time, which saves the browser the work.
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
    // Direction of animations towards the end of a line.
    "[dir=rtl]": { "--toward-end": "-1" },
    "*::placeholder": { color: "fg.muted", opacity: 1 },
    "*::selection": { bg: "accent", color: "accent.ink" },
    // Plain elements with fixed rules: elements that move a hundred times a second must not recompute their style.
    ".progress-bar": { h: "1.5", borderRadius: "full", bg: "track", overflow: "hidden" },
    ".progress-bar > div": {
      h: "full",
      borderRadius: "full",
      bg: "accent",
      // Slightly longer than the 200 ms between two pushes, so that the bar moves evenly.
      transition: "transform 260ms linear",
      _motionReduce: { transition: "none" },
      // A permanent compositor layer; otherwise each push would create and remove one.
      willChange: "transform",
    },
    // Progress from before the connection was lost.
    "[data-stale] .progress-bar > div": { transition: "none", bg: "fg.muted", opacity: 0.55 },
    "[data-stale] [data-outlook]": { visibility: "hidden" },
    ":where(a, button, input, label, [tabindex])": {
      _focusVisible: { outline: "2px solid {colors.accent.text}", outlineOffset: "2px" },
    },
    // Scripts focus them after a navigation or a removal; they have nothing to operate.
    ":where(h1, h2, section[id])": { _focusVisible: { outline: "none" } },
  },
});

/** Generates the style sheet, which begins with the order of its layers. */
export function globalStyles(): string {
  const cache = createCache({ key: "css" });
  // Collects the rules instead of a style element beside each element.
  cache.compat = true;
  const system = createSystem(defaultBaseConfig, config, globalConfig);
  const html = renderToString(
    <CacheProvider value={cache}>
      <ChakraProvider value={system}>{null}</ChakraProvider>
    </CacheProvider>,
  );
  return createEmotionServer(cache).extractCritical(html).css;
}
