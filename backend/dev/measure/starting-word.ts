/** Measures how soon after Enter the page says "Starting…" on a slow phone and line, while the app is on its way. */
import { chromium } from "@playwright/test";
import { SLOW_3G } from "./first-paint.ts";

/** As Lighthouse's phone. */
const SLOWDOWN = 4;

export interface StartingWord {
  /** From the typed link to Enter. */
  readonly pauseMs: number;
  /** From Enter to the frame with the word. */
  readonly wordMs: number;
}

/** Runs in the page. @returns the time from Enter to the end of the frame in which the button says the word */
function watchWord(): Promise<number> {
  return new Promise((resolve) => {
    const submit = document.querySelector<HTMLElement>("#converter [type=submit]");
    if (!submit) throw new Error("the page has no form");
    const word = submit.dataset["busy"] ?? "";
    const isSaid = () => submit.textContent === word || getComputedStyle(submit, "::after").content.includes(word);
    const look = (pressedMs: number): void => {
      if (isSaid()) setTimeout(() => resolve(performance.now() - pressedMs));
      else requestAnimationFrame(() => look(pressedMs));
    };
    window.addEventListener(
      "keydown",
      ({ key, timeStamp }) => key === "Enter" && requestAnimationFrame(() => look(timeStamp)),
      true,
    );
  });
}

/** @param url of the home page @param pausesMs from the typed link to Enter, one visit each */
export async function measureStartingWord(
  url: string,
  chromePath: string,
  pausesMs: readonly number[],
): Promise<StartingWord[]> {
  await using browser = await chromium.launch({
    executablePath: chromePath,
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });

  async function visit(pauseMs: number): Promise<number> {
    await using context = await browser.newContext({ viewport: { width: 390, height: 664 } });
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
    await devtools.send("Network.enable");
    await devtools.send("Network.emulateNetworkConditions", SLOW_3G);
    // The page alone is measured, not the machine's work for the link.
    await devtools.send("Network.setBlockedURLs", { urls: ["*/api/preview", "*/api/conversions"] });
    await page.goto(url, { waitUntil: "commit" });
    await page.waitForFunction(
      () => document.readyState !== "loading" && performance.getEntriesByName("first-contentful-paint").length > 0,
    );
    const word = page.evaluate(watchWord);
    await page.locator("input[name=link]").focus();
    await page.keyboard.insertText("https://youtu.be/aqz-KE-bpKQ");
    await page.waitForTimeout(pauseMs);
    await page.keyboard.press("Enter");
    return await word;
  }

  const words: StartingWord[] = [];
  for (const pauseMs of pausesMs) words.push({ pauseMs, wordMs: await visit(pauseMs) });
  return words;
}
