import { expect, it } from "vitest";
import { appScriptsOf, fontsOf, ownScriptsOf } from "./page-size.ts";

it("tells the scripts in the page from the files of the app, and counts its fonts", () => {
  const html = `<html data-catalogue="/assets/en-c.js"><script>early()</script>
    <script>const files = [\`/assets/index-a.js\`,\`/assets/base-b.js\`,\`/assets/base-b.js\`];</script>
    <link rel="preload" as="font" href="/assets/inter.woff2" />`;
  expect(appScriptsOf(html)).toEqual(["assets/en-c.js", "assets/index-a.js", "assets/base-b.js"]);
  expect(ownScriptsOf(html)).toMatch(/^early\(\)\nconst files[^<]*$/);
  expect(fontsOf(html)).toEqual(["assets/inter.woff2"]);
});
