/** The home page with jobs in every state, and what opens over it: accessible in both schemes, also from right to left. */
import { beforeEach, describe, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { press } from "../../testing/actions.ts";
import { fakeApi, unanswered } from "../../testing/fake-api.ts";
import { rows } from "../../testing/home.ts";
import { JOBS_IN_EVERY_STATE } from "../../testing/jobs-in-every-state.ts";
import { openPage } from "../../testing/open-page.tsx";
import { violationsExcept, violationsInDark, violationsOfPage } from "../../testing/violations.ts";
import { ar } from "../../texts/ar.ts";
import { en } from "../../texts/en.ts";
import { showLanguage } from "../../texts/store.ts";

const CATALOGUES = { en, ar };

async function expectAccessible(): Promise<void> {
  await expect.poll(violationsOfPage).toEqual([]);
  await expect.poll(violationsInDark).toEqual([]);
}

async function openWithAllJobs(): Promise<void> {
  await openPage("/", { jobs: JOBS_IN_EVERY_STATE });
  await expect.element(rows).toHaveLength(11);
  await page.getBySelector("[data-batch] [aria-expanded]").click();
  await expect.element(rows).toHaveLength(14);
}

describe.each(["en", "ar"] as const)("in %s", (language) => {
  const texts = CATALOGUES[language];
  beforeEach(() => showLanguage(language));

  it("a queue that loads is accessible", async () => {
    document.documentElement.dataset["hasJobs"] = "";
    fakeApi.answer("GET /api/conversions", unanswered);
    await openPage("/", { isLoaded: false });
    await expect.element(page.getByRole("status", { name: texts.queue.loading })).toBeVisible();
    await expectAccessible();
  });

  it("a queue that cannot be loaded is accessible", async () => {
    fakeApi.answer("GET /api/conversions", () => new Response("", { status: 503 }));
    await openPage("/", { hasSocket: false });
    await expect.element(page.getBySelector("section [role=alert]")).toBeVisible();
    await expectAccessible();
  });

  it("every kind of row is accessible and fits small screens", async () => {
    await openWithAllJobs();
    const blocked = page.getBySelector("[data-job=blocked]");
    await expect.element(blocked).toMatchTextContent(texts.job.blocked);
    await expect.element(blocked).toMatchTextContent(texts.errors.blocked);
    await expect.element(blocked).not.toMatchTextContent(texts.job.expired);
    await expect.element(blocked.getByRole("button")).toHaveLength(1);
    await expect.element(blocked.getByRole("link")).not.toBeInTheDocument();
    await expectAccessible();
    // 320 px is also a window of 1280 px at 400 %, and 640 × 400 px one of 1280 × 800 px at 200 %.
    for (const [width, height] of [
      [320, 640],
      [390, 844],
      [640, 400],
    ] as const) {
      await page.viewport(width, height);
      await expect.poll(() => document.documentElement.scrollWidth).toBe(width);
    }
  });

  it("the menu of samples is accessible", async () => {
    await openPage("/");
    await page.getBySelector("[data-scope=menu][data-part=trigger]").click();
    await expect.element(page.getByRole("menu")).toBeVisible();
    await expectAccessible();
  });

  it("a toast with a tip is accessible", async () => {
    await openPage("/");
    await press(page.getBySelector("input[name=link]"), "{Enter}");
    await userEvent.keyboard("{F8}");
    // The focus keeps the toast open.
    await expect.element(page.getBySelector("section:has([data-scope=toast])")).toHaveFocus();
    await userEvent.keyboard("{Tab}");
    await expect.element(page.getByRole("tooltip")).toBeVisible();
    // A tooltip is reached through its button, so it needs no landmark.
    await expect.poll(() => violationsExcept("region")).toEqual([]);
    await expect.poll(violationsInDark).toEqual([]);
  });

  it("a form with mistakes is accessible", async () => {
    await openPage("/contact");
    await page.getBySelector("form button[type=submit]").click();
    await expect.element(page.getBySelector("[aria-invalid=true]")).toHaveLength(5);
    await page.getBySelector("summary").first().click();
    await expectAccessible();
  });
});

/** @returns the texts with words in the rows of the queue, apart from titles and formats */
function wordsInRows(): string[] {
  const texts = [...document.querySelectorAll("[data-job], [data-batch]")].flatMap((row) => {
    const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    while (walker.nextNode()) found.push(walker.currentNode.textContent?.trim() ?? "");
    return found;
  });
  const titles = new Set(JOBS_IN_EVERY_STATE.map(({ title }) => title));
  return [...new Set(texts)].filter((text) => /\p{L}{3}/u.test(text) && !titles.has(text) && !/^MP[34] · /.test(text));
}

it("no row has an English text in German", async () => {
  await openWithAllJobs();
  const english = wordsInRows();
  expect(english).toEqual(expect.arrayContaining(["360p to fit 50 MB", "Not there.", "Expired"]));
  await page.getBySelector("footer select").selectOptions("Deutsch");
  const row = (id: string) => page.getBySelector(`[data-job=${id}]`);
  await expect.element(row("failed")).toMatchTextContent("Länger als 20 Minuten. Pro nimmt bis zu 2 Stunden.");
  await expect.element(row("ready")).toMatchTextContent("360p, damit die Datei in 50 MB passt");
  const german = new Set(wordsInRows());
  expect(english.filter((text) => german.has(text))).toEqual([]);
  await page.getBySelector("footer select").selectOptions("English");
  await expect.element(row("ready")).toMatchTextContent("360p to fit 50 MB");
});
