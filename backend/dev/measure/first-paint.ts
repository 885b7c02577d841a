/** Measures the first paint of a page in each language on a slow line, with an empty cache. */
import { chromium } from "@playwright/test";
import { LANGUAGE_CODES, LANGUAGE_COOKIE, type Language } from "../../../common/languages.ts";

/** Slow 3G as browsers' tools name it: 400 ms to each answer, 400 kbit/s. */
export const SLOW_3G = { offline: false, latency: 400, downloadThroughput: 400_000 / 8, uploadThroughput: 400_000 / 8 };
const VISITS = 3;

export interface FirstPaint {
  readonly language: Language;
  /** Of the middle one of three visits. */
  readonly paintMs: number;
}

/** @param url of the page @param chromePath of the browser */
export async function measureFirstPaints(url: string, chromePath: string): Promise<FirstPaint[]> {
  await using browser = await chromium.launch({
    executablePath: chromePath,
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });

  async function visit(language: Language): Promise<number> {
    await using context = await browser.newContext({ viewport: { width: 390, height: 664 } });
    await context.addCookies([{ name: LANGUAGE_COOKIE, value: language, url }]);
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send("Network.enable");
    await devtools.send("Network.emulateNetworkConditions", SLOW_3G);
    await page.goto(url, { waitUntil: "commit" });
    const paint = await page.waitForFunction(
      () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null,
    );
    return await paint.evaluate((ms) => ms ?? Number.NaN);
  }

  const paints: FirstPaint[] = [];
  for (const language of LANGUAGE_CODES) {
    const times: number[] = [];
    for (let n = 0; n < VISITS; n += 1) times.push(await visit(language));
    paints.push({ language, paintMs: times.toSorted((a, b) => a - b)[(VISITS - 1) / 2] ?? Number.NaN });
  }
  return paints;
}
