import { expect, it } from "vitest";
import { scriptsOf } from "./page-size.ts";

it("counts the page's script and the files that it preloads, and no others", () => {
  const html = `<script>early()</script>
    <script>{ const files = ["/assets/index-a.js","/assets/base-b.js"]; }</script>
    <link rel="preload" as="font" href="/assets/inter.woff2" />`;
  expect(scriptsOf(html)).toEqual(["assets/index-a.js", "assets/base-b.js"]);
});
