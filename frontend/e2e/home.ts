/** Page object of the home page, which records progress and layout shifts. */
import { randomUUID } from "node:crypto";
import { test as base, expect } from "@playwright/test";
import type { BrowserContext, Locator, Page } from "@playwright/test";
import { PublicConfig } from "../../common/api.ts";
import { Job } from "../../common/job.ts";
import type { Format } from "../../common/tiers.ts";
import { en } from "../src/texts/en.ts";
import { serverOrigin } from "./server.ts";

declare global {
  interface Window {
    /** All values of each progress bar, by job id, in order. */
    barHistory: Record<string, number[]>;
    /** All texts of each row, by job id, in order. */
    rowTexts: Record<string, string[]>;
    /** Times in which a new row may move the others down. */
    rowArrivals: { fromMs: number; toMs: number }[];
    /** The texts of all toasts that the test has not expected yet: on a busy machine one is gone before it looks. */
    toastTexts: string[];
    /** Times in which the page answers a press or a key; on a busy machine its next frame may be late. */
    inputAnswers: { fromMs: number; toMs: number }[];
    fontLoading: { isLate: boolean; toMs: number };
    /** Unexpected layout shifts, and the elements that moved. */
    shifts: { value: number; moved: string[] }[];
  }
  interface PerformanceEntry {
    readonly sources?: readonly {
      readonly node: Node | null;
      readonly previousRect: DOMRectReadOnly;
      readonly currentRect: DOMRectReadOnly;
    }[];
  }
}

/** Runs in the page: records all values of each progress bar. */
function recordProgressBars(): void {
  window.barHistory = {};
  const record = () => {
    for (const bar of document.querySelectorAll("[data-job] [role=progressbar]")) {
      const id = bar.closest("[data-job]")?.getAttribute("data-job") ?? "";
      const history = (window.barHistory[id] ??= []);
      const percent = Number(bar.getAttribute("aria-valuenow"));
      if (history.at(-1) !== percent) history.push(percent);
    }
  };
  new MutationObserver(record).observe(document, { subtree: true, childList: true, attributes: true });
}

/** Runs in the page: records all texts of each row. */
function recordRowTexts(): void {
  window.rowTexts = {};
  const record = () => {
    for (const row of document.querySelectorAll<HTMLElement>("[data-job]")) {
      const texts = (window.rowTexts[row.dataset["job"] ?? ""] ??= []);
      if (texts.at(-1) !== row.textContent) texts.push(row.textContent);
    }
  };
  new MutationObserver(record).observe(document, { subtree: true, childList: true, characterData: true });
}

/** Runs in the page: records the texts of all toasts. */
function recordToasts(): void {
  if (Object.hasOwn(window, "toastTexts")) return;
  window.toastTexts = [];
  const seen = new WeakSet<Element>();
  new MutationObserver(() => {
    for (const toast of document.querySelectorAll("[data-scope=toast]")) {
      if (seen.has(toast)) continue;
      seen.add(toast);
      window.toastTexts.push(toast.textContent);
    }
  }).observe(document, { subtree: true, childList: true });
}

/**
 * Runs in the page: records the times in which a new row may move the others down. Browsers ignore layout shifts only
 * within 500 ms after a key press, and a busy server may answer later.
 */
function recordRowArrivals(): void {
  window.rowArrivals = [];
  const isRow = (node: Node): node is HTMLElement => node instanceof HTMLElement && node.matches("[data-job]");
  new MutationObserver((changes) => {
    const rows = changes.flatMap(({ addedNodes }) => [...addedNodes].filter(isRow));
    if (rows.length === 0) return;
    // Layout shifts have the time of their frame, which may have started before the row was added.
    const arrival = { fromMs: Number(document.timeline.currentTime), toMs: Infinity };
    window.rowArrivals.push(arrival);
    // Ends when the enter animation has finished and its last frame is drawn.
    void Promise.allSettled(rows.flatMap((row) => row.getAnimations()).map(({ finished }) => finished)).then(() =>
      requestAnimationFrame(() => requestAnimationFrame(() => (arrival.toMs = performance.now()))),
    );
  }).observe(document, { subtree: true, childList: true });
}

/**
 * Runs in the page: notes whether the fonts load after the first paint, as on a busy machine, and when the page is
 * live and has its fonts.
 */
function recordFontLoading(): void {
  window.fontLoading = { isLate: false, toMs: Infinity };
  requestAnimationFrame(
    () =>
      (window.fontLoading.isLate = ["Inter Variable", "Bricolage Grotesque Variable"].some(
        (family) => !document.fonts.check(`1em "${family}"`),
      )),
  );
  const waitUntilSettled = () => {
    if (document.documentElement.dataset["live"] === undefined) return void requestAnimationFrame(waitUntilSettled);
    void document.fonts.ready.then(() =>
      requestAnimationFrame(() => requestAnimationFrame(() => (window.fontLoading.toMs = performance.now()))),
    );
  };
  requestAnimationFrame(waitUntilSettled);
}

/**
 * Runs in the page: records the times until the frames after an input. Browsers ignore layout shifts for 500 ms after
 * it, and on a busy machine the frame that answers it may be drawn later.
 */
function recordInputAnswers(): void {
  window.inputAnswers = [];
  const record = () => {
    const answer = { fromMs: Number(document.timeline.currentTime), toMs: Infinity };
    window.inputAnswers.push(answer);
    requestAnimationFrame(() => requestAnimationFrame(() => (answer.toMs = performance.now())));
  };
  for (const type of ["keydown", "pointerdown", "pointerup", "click"])
    window.addEventListener(type, record, { capture: true, passive: true });
}

/** Runs in the page: records layout shifts, apart from those by new rows, late fonts and user input. */
function recordLayoutShifts(): void {
  window.shifts = [];
  const rectText = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].map(Math.round).join(" ");
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (!("value" in entry && "hadRecentInput" in entry) || entry.hadRecentInput) continue;
      const { rowArrivals, inputAnswers, fontLoading } = window;
      if (fontLoading.isLate && entry.startTime <= fontLoading.toMs) continue;
      const expected = [...rowArrivals, ...inputAnswers];
      if (expected.some(({ fromMs, toMs }) => entry.startTime >= fromMs && entry.startTime <= toMs)) continue;
      const moved =
        entry.sources?.map(
          ({ node, previousRect, currentRect }) =>
            `${node?.nodeName} "${node?.textContent?.slice(0, 40)}" ` +
            `from ${rectText(previousRect)} to ${rectText(currentRect)}`,
        ) ?? [];
      window.shifts.push({ value: Number(entry.value), moved });
    }
  }).observe({ type: "layout-shift", buffered: true });
}

const PAGE_RECORDERS = [
  recordProgressBars,
  recordRowTexts,
  recordRowArrivals,
  recordInputAnswers,
  recordFontLoading,
  recordLayoutShifts,
];

/** Lets all pages that are opened from now on record what the test asks for later. */
export async function recordPage(page: Page): Promise<void> {
  for (const recorder of [recordToasts, ...PAGE_RECORDERS]) await page.addInitScript(recorder);
}

/** Expects no layout shifts since a recorded page was opened. @param limit largest allowed sum of shifts */
export async function expectNoLayoutShift(page: Page, limit: number): Promise<void> {
  const shifts = await page.evaluate(() => window.shifts);
  const sum = shifts.reduce((total, { value }) => total + value, 0);
  expect(sum, JSON.stringify(shifts, null, 1)).toBeLessThan(limit);
}

/** Runs in the page: the visitor's first use, which starts the app, after the first paint. */
function usePage(): void {
  const use = () => window.dispatchEvent(new Event("pointermove"));
  document.addEventListener("DOMContentLoaded", () => requestAnimationFrame(() => setTimeout(use)));
}

/** Lets all pages of a context start the app by themselves: most tests are about the running app. */
export const startAppsIn = (context: BrowserContext): Promise<unknown> => context.addInitScript(usePage);

/**
 * Opens the page again until its own fonts are there at the first paint. On a busy machine they may come later, and then
 * the page keeps those of the system, which are wider on the machines of tests than on phones.
 */
export async function openWithOwnFonts(page: Page): Promise<void> {
  await expect(async () => {
    await page.reload();
    await waitUntilLive(page);
    expect(await page.evaluate(() => window.fontLoading.isLate)).toBe(false);
  }).toPass();
}

/** Whether the browser logged a message only because of what the tests do. */
export function isCausedByTests(message: string): boolean {
  return (
    // The tests block the service worker.
    message.startsWith("Service Worker registration blocked") ||
    // They leave a page while its socket still connects, which the page then closes.
    message.endsWith("WebSocket is closed before the connection is established.")
  );
}

/**
 * Expects that a toast with a text has been shown since the last one that was expected, or since the page was opened; it
 * may be closed already.
 */
export async function expectToastShown(page: Page, text: string): Promise<void> {
  // Tries again, because the page may be on its way to another one.
  await expect(async () => {
    const others = await page.evaluate((wanted) => {
      const place = window.toastTexts.findIndex((shown) => shown.includes(wanted));
      if (place < 0) return window.toastTexts;
      window.toastTexts.splice(0, place + 1);
      return null;
    }, text);
    expect(others, `toasts instead of "${text}"`).toBeNull();
  }).toPass({ timeout: 60_000 });
}

/** Stops the page's timers: what ends by time, such as the offer to undo, then stays as long as the test takes. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
}

/** Changes the size of the window and waits until the page has it. */
export async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await page.waitForFunction(({ width, height }) => window.innerWidth === width && window.innerHeight === height, size);
}

/**
 * Chooses an option of a focused list by the arrow keys. The letters of an option would have to come within a second of
 * each other.
 */
export async function chooseByKeys(page: Page, list: Locator, wanted: RegExp): Promise<void> {
  const texts = await list.getByRole("option").allTextContents();
  const at = await list.evaluate((element) => (element instanceof HTMLSelectElement ? element.selectedIndex : NaN));
  const steps = texts.findIndex((text) => wanted.test(text)) - at;
  for (let step = 0; step < Math.abs(steps); step += 1) await page.keyboard.press(steps > 0 ? "ArrowDown" : "ArrowUp");
  await expect(list.locator("option:checked")).toHaveText(wanted);
}

/** @returns the width of the page with what sticks out of it */
export const scrollWidthOf = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth);

/** Resolves when an element has its final place: its animations have ended. */
export const untilStill = (element: Locator): Promise<void> =>
  element.evaluate(async (moving) => {
    await Promise.all(moving.getAnimations().map(({ finished }) => finished));
  });

/** A text that eyes see: some are also in the announcer, for screen readers. */
export const seenText = (page: Page, text: string | RegExp): Locator =>
  page.getByText(text).and(page.locator(":not([data-announcer] *)"));

/** The queue without jobs, once the server has said so; a prerendered page shows the same before. */
export const emptyQueue = (page: Page, title = en.queue.empty.title): Locator =>
  page.locator("[data-phase=ready]").getByText(title);

/** Resolves when the page is hydrated and handles events. Starts the app where nothing else has. */
export async function waitUntilLive(page: Page): Promise<void> {
  await page.evaluate(() => window.dispatchEvent(new Event("pointermove")));
  await page.locator("html[data-live]").waitFor({ state: "attached" });
}

/**
 * Makes the page wait for its own fonts. On a busy machine they may come after the first paint, and then a page keeps
 * those of the system, which are wider on the machines of tests than on phones. Chromium lets such a page open no socket
 * of its own.
 */
export async function waitForOwnFonts(page: Page): Promise<void> {
  await page.route("**/*", async (route) => {
    // Prerendered pages have their styles in themselves.
    if (!["document", "stylesheet"].includes(route.request().resourceType())) return route.fallback();
    const response = await route.fetch();
    const body = (await response.text()).replaceAll("font-display:optional", "font-display:block");
    await route.fulfill({ response, body });
  });
}

/** Opens a page and waits until it is hydrated. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await waitUntilLive(page);
}

/** Links to the sample site that the current test uses. */
const usedLinks = new Set<string>();

async function releaseHeld(link: string): Promise<void> {
  const answer = await fetch(new URL(`/release${new URL(link).search}`, link));
  if (!answer.ok) throw new Error(`${answer.status} for ${link}`);
}

export class Home {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(): Promise<void> {
    await recordPage(this.page);
    await this.page.goto("/");
    await waitUntilLive(this.page);
  }

  get field(): Locator {
    return this.page.getByLabel("Video link");
  }

  get rows(): Locator {
    return this.page.locator("[data-job]");
  }

  get toast(): Locator {
    return this.page.locator("[data-scope=toast][data-part=root]");
  }

  expectToastShown(text: string): Promise<void> {
    return expectToastShown(this.page, text);
  }

  /** The rows with a text. */
  row(title: string | RegExp): Locator {
    return this.rows.filter({ hasText: title });
  }

  bar(row: Locator): Locator {
    return row.getByRole("progressbar");
  }

  /** @returns a new link to a page of the sample site, so that no finished file is reused */
  async sampleLink(name: string): Promise<string> {
    const config = PublicConfig.parse(await (await this.page.request.get("/api/config")).json());
    const first = config.sampleLinks[0];
    if (!first) throw new Error("the server offers no samples");
    const link = new URL(`/watch/${name}?${randomUUID()}`, first.url).href;
    usedLinks.add(link);
    return link;
  }

  /** Lets the sample site send the rest of a response that it holds back, such as `held` and `held-page`. */
  async releaseHeld(link: string): Promise<void> {
    await releaseHeld(link);
  }

  /** Starts a conversion through the form. @returns the server's job */
  async convert(link: string, format: "mp3" | "mp4" = "mp3"): Promise<Job> {
    await this.page.getByText(format.toUpperCase(), { exact: true }).click();
    await this.field.fill(link);
    const answered = this.page.waitForResponse(
      (answer) => answer.request().method() === "POST" && answer.url().endsWith("/api/conversions"),
    );
    await this.field.press("Enter");
    return Job.parse(await (await answered).json());
  }

  /** Starts a conversion without the form, which starts none that its preview knows to fail. @returns the server's job */
  async convertUnseen(link: string, format: Format = "mp3"): Promise<Job> {
    const answer = await this.page.request.post("/api/conversions", {
      headers: { origin: serverOrigin() },
      data: { youtubeUrl: link, format },
    });
    return Job.parse(await answer.json());
  }

  rowOf(job: Job): Locator {
    return this.page.locator(`[data-job="${job.id}"]`);
  }

  /** Expects that a job's row has said something since the page was opened; it may say something else by now. */
  async expectRowSaid(job: Job, words: RegExp): Promise<void> {
    const said = () => this.page.evaluate((id) => window.rowTexts[id]?.join("\n") ?? "", job.id);
    await expect.poll(said).toMatch(words);
  }

  async percent(row: Locator): Promise<number> {
    return Number(await this.bar(row).getAttribute("aria-valuenow"));
  }

  /** @returns all values that the job's progress bar has shown */
  history(job: Job): Promise<number[]> {
    return this.page.evaluate((id) => window.barHistory[id] ?? [], job.id);
  }

  /** Expects no layout shifts since the page was opened. @param limit largest allowed sum of shifts */
  async expectNoLayoutShift(limit = 0.001): Promise<void> {
    await expectNoLayoutShift(this.page, limit);
  }
}

export const test = base.extend<{ home: Home; heldLinksReleased: void; startsApp: boolean }>({
  /** False: the app starts as it does for a visitor. */
  startsApp: [true, { option: true }],
  context: async ({ context, startsApp }, provide) => {
    if (startsApp) await startAppsIn(context);
    await provide(context);
  },
  page: async ({ page }, provide) => {
    await page.addInitScript(recordToasts);
    await provide(page);
    // A request that a test answers may arrive while its page closes; its handler then has nobody to answer.
    if (!page.isClosed()) await page.unrouteAll({ behavior: "ignoreErrors" });
  },
  // Ends held conversions after each test, so that they do not block the next one's.
  heldLinksReleased: [
    // oxlint-disable-next-line no-empty-pattern -- the runner reads a fixture's needs from this pattern
    async ({}, provide) => {
      await provide();
      await Promise.all([...usedLinks].map(releaseHeld));
      usedLinks.clear();
    },
    { auto: true },
  ],
  // Computed here, because the configuration is read before the server has a port.
  // oxlint-disable-next-line no-empty-pattern -- the runner reads a fixture's needs from this pattern
  baseURL: ({}, provide) => provide(serverOrigin()),
  home: async ({ page }, provide) => {
    const home = new Home(page);
    await home.open();
    // Waits for the configuration, which has the samples; other tests cover the page before it.
    await page.locator("[data-scope=menu][data-part=trigger]").waitFor({ state: "attached" });
    await provide(home);
  },
});

export { expect };
