/**
 * Renders the icons of the installed site and the picture of shared links: `node frontend/build/icons.ts`.
 * Run it manually when the drawing changes, and commit the files in frontend/public.
 */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { chromium } from "@playwright/test";

const PUBLIC = path.resolve(import.meta.dirname, "../public");
const BACKGROUND = "#faf8f3";
const CASSETTE = `<g fill="none" stroke-width="2.6">
  <rect stroke="#1c1a15" x="1.5" y="5.5" width="31" height="23" rx="6.5"/>
  <circle stroke="#f5a81c" cx="11" cy="16" r="4.2"/><circle stroke="#f5a81c" cx="23" cy="16" r="4.2"/>
  <path stroke="#1c1a15" d="M10 25h14" stroke-linecap="round"/></g>`;

/** `cassetteShare` is the width of the cassette as part of the icon's; masks may hide all but the middle 80 percent. */
const ICONS = [
  { file: "icon-192.png", pixels: 192, cassetteShare: 0.74, backgroundShape: `rx="${100 / 5}"` },
  { file: "icon-512.png", pixels: 512, cassetteShare: 0.74, backgroundShape: `rx="${100 / 5}"` },
  { file: "icon-maskable-512.png", pixels: 512, cassetteShare: 0.56, backgroundShape: "" },
  { file: "apple-touch-icon.png", pixels: 180, cassetteShare: 0.7, backgroundShape: "" },
  { file: "favicon-32.png", pixels: 32, cassetteShare: 1, backgroundShape: null },
] as const;

const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
try {
  for (const { file, pixels, cassetteShare, backgroundShape } of ICONS) {
    const page = await browser.newPage({ viewport: { width: pixels, height: pixels } });
    const scale = (cassetteShare * 100) / 34;
    const offset = (100 - cassetteShare * 100) / 2;
    const background =
      backgroundShape === null ? "" : `<rect width="100" height="100" fill="${BACKGROUND}" ${backgroundShape}/>`;
    const drawing =
      `<svg xmlns="http://www.w3.org/2000/svg" width="${pixels}" height="${pixels}" viewBox="0 0 100 100">` +
      `${background}<g transform="translate(${offset} ${offset}) scale(${scale})">${CASSETTE}</g></svg>`;
    await page.setContent(`<style>body{margin:0}svg{display:block}</style>${drawing}`);
    await writeFile(path.join(PUBLIC, file), await page.screenshot({ omitBackground: true }));
    await page.close();
  }
  // The size that most sites show; a link's title and text stand below the picture.
  const page = await browser.newPage({ viewport: { width: 1_200, height: 630 } });
  await page.setContent(
    `<style>body{margin:0;background:${BACKGROUND}}svg{display:block}</style>` +
      `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630">` +
      `<g transform="translate(345 75) scale(15)">${CASSETTE}</g></svg>`,
  );
  await writeFile(path.join(PUBLIC, "shared-link.png"), await page.screenshot());
} finally {
  await browser.close();
}
