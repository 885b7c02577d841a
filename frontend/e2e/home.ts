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
    /** Sum of unexpected moves of the page, as browsers measure it. */
    layoutShift: number;
  }
}

function watchPage(): void {
  window.barHistory = {};
  window.layoutShift = 0;
  const note = () => {
    for (const bar of document.querySelectorAll("[data-job] [role=progressbar]")) {
      const id = bar.closest("[data-job]")?.getAttribute("data-job") ?? "";
      const history = (window.barHistory[id] ??= []);
      const percent = Number(bar.getAttribute("aria-valuenow"));
      if (history.at(-1) !== percent) history.push(percent);
    }
  };
  new MutationObserver(note).observe(document, { subtree: true, childList: true, attributes: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if ("value" in entry && "hadRecentInput" in entry && !entry.hadRecentInput) window.layoutShift += Number(entry.value);
    }
  }).observe({ type: "layout-shift", buffered: true });
}

export class Home {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(): Promise<void> {
    await this.page.addInitScript(watchPage);
    await this.page.goto("/");
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
    return new URL(`/watch/${name}?${randomUUID()}`, first.url).href;
  }

  /** Starts a conversion as a person does and returns the server's job. */
  async convert(link: string, format: "mp3" | "mp4" = "mp3"): Promise<Job> {
    await this.page.getByText(format.toUpperCase(), { exact: true }).click();
    await this.field.fill(link);
    const answered = this.page.waitForResponse((answer) => answer.request().method() === "POST" && answer.url().endsWith("/api/conversions"));
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

  layoutShift(): Promise<number> {
    return this.page.evaluate(() => window.layoutShift);
  }
}

export const test = base.extend<{ home: Home }>({
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
