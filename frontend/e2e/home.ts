/** The home page as a person meets it, and a record of how its bars moved. */
import { randomUUID } from "node:crypto";
import { test as base, expect } from "@playwright/test";
import type { Locator, Page } from "@playwright/test";
import { PublicConfig } from "../../common/api.ts";
import { Job } from "../../common/job.ts";
import { serverOrigin } from "./server.ts";

declare global {
  interface Window {
    /** What every bar has shown, by job and attempt, in order. */
    barHistory: Record<string, number[]>;
    /** Unexpected moves of the page, as browsers measure them, and what moved. */
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

function watchPage(): void {
  window.barHistory = {};
  window.shifts = [];
  const note = () => {
    for (const bar of document.querySelectorAll("[data-job] [role=progressbar]")) {
      const id = bar.closest("[data-job]")?.getAttribute("data-job") ?? "";
      const history = (window.barHistory[id] ??= []);
      const percent = Number(bar.getAttribute("aria-valuenow"));
      if (history.at(-1) !== percent) history.push(percent);
    }
  };
  new MutationObserver(note).observe(document, { subtree: true, childList: true, attributes: true });
  // A row that was asked for may push the others down whenever it comes. Browsers forgive that for half
  // a second after the key, which a busy server takes to answer.
  const arrivals: { fromMs: number; toMs: number }[] = [];
  const isRow = (node: Node): node is HTMLElement => node instanceof HTMLElement && node.matches("[data-job]");
  new MutationObserver((changes) => {
    const rows = changes.flatMap(({ addedNodes }) => [...addedNodes].filter(isRow));
    if (rows.length === 0) return;
    // Moves bear the time of their frame, which may have begun before the row was there.
    const arrival = { fromMs: Number(document.timeline.currentTime), toMs: Infinity };
    arrivals.push(arrival);
    // It has arrived when it is of its full height, and that is drawn.
    void Promise.allSettled(rows.flatMap((row) => row.getAnimations()).map(({ finished }) => finished)).then(() =>
      requestAnimationFrame(() => requestAnimationFrame(() => (arrival.toMs = performance.now()))),
    );
  }).observe(document, { subtree: true, childList: true });
  // On a machine so busy that the fonts miss the first picture, browsers may still take them while the page
  // is put together; what moves by that says nothing of the page.
  const settling = { isLate: false, toMs: Infinity };
  requestAnimationFrame(
    () =>
      (settling.isLate = ["Inter Variable", "Bricolage Grotesque Variable"].some(
        (family) => !document.fonts.check(`1em "${family}"`),
      )),
  );
  const noteSettled = () => {
    if (document.documentElement.dataset["live"] === undefined) return void requestAnimationFrame(noteSettled);
    void document.fonts.ready.then(() =>
      requestAnimationFrame(() => requestAnimationFrame(() => (settling.toMs = performance.now()))),
    );
  };
  requestAnimationFrame(noteSettled);
  const shown = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].map(Math.round).join(" ");
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (!("value" in entry && "hadRecentInput" in entry) || entry.hadRecentInput) continue;
      if (settling.isLate && entry.startTime <= settling.toMs) continue;
      if (arrivals.some(({ fromMs, toMs }) => entry.startTime >= fromMs && entry.startTime <= toMs)) continue;
      const moved =
        entry.sources?.map(
          ({ node, previousRect, currentRect }) =>
            `${node?.nodeName} "${node?.textContent?.slice(0, 40)}" from ${shown(previousRect)} to ${shown(currentRect)}`,
        ) ?? [];
      window.shifts.push({ value: Number(entry.value), moved });
    }
  }).observe({ type: "layout-shift", buffered: true });
}

/** Resolves when the page as it was drawn has been taken over by its script, and hears what is done to it. */
export async function live(page: Page): Promise<void> {
  await page.locator("html[data-live]").waitFor({ state: "attached" });
}

/** Goes to a page and waits until its script hears what is done to it. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await live(page);
}

/** Links to the sample site that this test has been given. */
const given = new Set<string>();

async function letGo(link: string): Promise<void> {
  const answer = await fetch(new URL(`/let-go${new URL(link).search}`, link));
  if (!answer.ok) throw new Error(`${answer.status} for ${link}`);
}

export class Home {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(): Promise<void> {
    await this.page.addInitScript(watchPage);
    await this.page.goto("/");
    await live(this.page);
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

  /** The row of the n-th newest job. */
  row(title: string | RegExp): Locator {
    return this.rows.filter({ hasText: title });
  }

  bar(row: Locator): Locator {
    return row.getByRole("progressbar");
  }

  /** A page of the sample site, offered to people or not; a new address each time, so that no finished file fits it. */
  async sampleLink(name: string): Promise<string> {
    const config = PublicConfig.parse(await (await this.page.request.get("/api/config")).json());
    const first = config.sampleLinks[0];
    if (!first) throw new Error("the server offers no samples");
    const link = new URL(`/watch/${name}?${randomUUID()}`, first.url).href;
    given.add(link);
    return link;
  }

  /** Lets the sample site send the rest of a page that it holds back, as it does `held` and `held-page`. */
  async letGo(link: string): Promise<void> {
    await letGo(link);
  }

  /** Starts a conversion as a person does and returns the server's job. */
  async convert(link: string, format: "mp3" | "mp4" = "mp3"): Promise<Job> {
    await this.page.getByText(format.toUpperCase(), { exact: true }).click();
    await this.field.fill(link);
    const answered = this.page.waitForResponse(
      (answer) => answer.request().method() === "POST" && answer.url().endsWith("/api/conversions"),
    );
    await this.field.press("Enter");
    return Job.parse(await (await answered).json());
  }

  rowOf(job: Job): Locator {
    return this.page.locator(`[data-job="${job.id}"]`);
  }

  async percent(row: Locator): Promise<number> {
    return Number(await this.bar(row).getAttribute("aria-valuenow"));
  }

  /** What the job's bar has shown so far. */
  history(job: Job): Promise<number[]> {
    return this.page.evaluate((id) => window.barHistory[id] ?? [], job.id);
  }

  /** Nothing has moved by itself since the page was opened, or all moves together are less than so much. */
  async expectStill(limit = 0.001): Promise<void> {
    const shifts = await this.page.evaluate(() => window.shifts);
    const sum = shifts.reduce((total, { value }) => total + value, 0);
    expect(sum, JSON.stringify(shifts, null, 1)).toBeLessThan(limit);
  }
}

export const test = base.extend<{ home: Home; linksLetGo: void }>({
  // Nothing that a test leaves behind takes the next one's place among the conversions.
  linksLetGo: [
    // oxlint-disable-next-line no-empty-pattern -- the runner reads a fixture's needs from this pattern
    async ({}, give) => {
      await give();
      await Promise.all([...given].map(letGo));
      given.clear();
    },
    { auto: true },
  ],
  // Worked out here, because the configuration is read before the server has a port.
  // oxlint-disable-next-line no-empty-pattern -- the runner reads a fixture's needs from this pattern
  baseURL: ({}, give) => give(serverOrigin()),
  home: async ({ page }, give) => {
    const home = new Home(page);
    // Then the page knows what there is to know; what is done before that has tests of its own.
    const configured = page.waitForResponse((answer) => answer.url().endsWith("/api/config"));
    await home.open();
    await (await configured).finished();
    await give(home);
  },
});

export { expect };
