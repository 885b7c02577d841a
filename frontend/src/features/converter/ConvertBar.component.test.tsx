/** Convert at the lower edge of the window, where there is much to choose. */
import { beforeEach, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { ListPage } from "../../../../common/lists.ts";
import { press } from "../../testing/actions.ts";
import { fakeApi, json, refusal, unanswered } from "../../testing/fake-api.ts";
import { convert, field, rows } from "../../testing/home.ts";
import { openPage } from "../../testing/open-page.tsx";
import { makePreview, makeUser } from "../../testing/sample-answers.ts";
import { makeJob } from "../../testing/sample-jobs.ts";
import { violationsInDark, violationsOfPage } from "../../testing/violations.ts";

const LINK = "https://video.example/watch/rain";
/** The page keeps the list that was opened last, so each test has a list of its own. */
const list = (id: string) => `https://www.youtube.com/playlist?list=${id}`;
const pro = { user: makeUser({ tier: "pro" }) };
const PHONES = [
  [390, 844],
  [390, 664],
] as const;
const LANGUAGES = ["English", "Deutsch", "Español", "हिन्दी", "العربية"];

const bar = page.getBySelector("[data-convert-bar]");
const submit = bar.getBySelector("button[type=submit]");
const opener = page.getByRole("button", { name: "Choices" });
const panel = page.getBySelector("#choices");
const option = (title: RegExp) => page.getByRole("option", { name: title });
const titles = Array.from({ length: 60 }, (_, index) => `Drop ${index + 1}`);

const shown: ListPage = {
  link: list("PL0"),
  title: "Sixty drops",
  total: titles.length,
  isCut: false,
  offset: 0,
  next: null,
  entries: titles.map((title) => ({
    link: `https://www.youtube.com/watch?v=${title.replace(" ", "").padEnd(11, "0")}`,
    title,
    durationSeconds: 60,
  })),
};

beforeEach(() => {
  fakeApi.answer("POST /api/preview", () => json(makePreview()));
  fakeApi.answer("POST /api/conversions", () => json(makeJob()));
});

function showList(): void {
  fakeApi.answer("POST /api/preview", () => refusal(422, "playlist", "That is a list."));
  fakeApi.answer("POST /api/lists", () => json(shown));
}

const rectOf = (element: Element) => element.getBoundingClientRect();

/** Expects the bar in view at the top of the page, on each phone in each language, with Convert and the words inside it. */
async function expectInView(): Promise<void> {
  for (const language of LANGUAGES) {
    await page.getBySelector("footer select").selectOptions(language);
    for (const [width, height] of PHONES) {
      await page.viewport(width, height);
      window.scrollTo({ top: 0, behavior: "instant" });
      const around = rectOf(await bar.findElement());
      const button = rectOf(submit.element());
      const { scrollWidth } = document.documentElement;
      const faults = {
        "below the window": around.bottom >= height + 0.5,
        "too high": around.height > 100,
        "Convert is too low": button.height < 44,
        "Convert sticks out": button.left < around.left || button.right > around.right,
        "the page is too wide": scrollWidth !== width,
      };
      const found = Object.entries(faults).flatMap(([name, isThere]) => (isThere ? name : []));
      expect({ language, width, height, found }).toEqual({ language, width, height, found: [] });
    }
  }
  await page.getBySelector("footer select").selectOptions("English");
}

/** Expects that each control which is above the bar in the page is also above it on the screen when it has the focus. */
async function expectFocusUncovered(): Promise<void> {
  await page.viewport(390, 664);
  const form = bar.element().closest("form");
  const controls = [
    ...(form?.querySelectorAll<HTMLElement>(":is(button, input, select, textarea):enabled, [tabindex='0']") ?? []),
  ];
  const shownOnes = controls.filter((control) => !bar.element().contains(control) && rectOf(control).height > 1);
  expect(shownOnes.length).toBeGreaterThan(3);
  const covered = shownOnes.filter((control) => {
    window.scrollTo({ top: 0, behavior: "instant" });
    control.focus();
    const { top, bottom } = rectOf(control);
    const edge = rectOf(bar.element()).top;
    // What is higher than the room above the bar begins in it.
    return bottom > edge - 4 && top >= edge / 2;
  });
  expect(covered.map(({ outerHTML }) => outerHTML.slice(0, 120))).toEqual([]);
}

it("a list has its count and Convert at the lower edge, in each language, and covers nothing that has the focus", async () => {
  showList();
  await openPage("/", pro);
  await field.fill(list("PL1"));
  await option(/^Drop 2 /).click();
  await option(/^Drop 3 /).click();
  await expect.element(bar).toMatchTextContent("2 of 60 chosen");
  await expect.element(bar).toMatchTextContent("2 videos, as one batch.");
  await expectInView();
  await expectFocusUncovered();
  await expect.poll(violationsOfPage).toEqual([]);
  await expect.poll(violationsInDark).toEqual([]);
});

it("an arrow key brings the list above the bar", async () => {
  showList();
  await page.viewport(390, 664);
  await openPage("/");
  await field.fill(list("PL2"));
  await option(/^Drop 2 /).click();
  window.scrollTo({ top: 0, behavior: "instant" });
  const box = page.getByRole("listbox");
  expect(rectOf(box.element()).bottom).toBeGreaterThan(rectOf(bar.element()).top);
  await press(box, "{ArrowDown}");
  expect(rectOf(box.element()).bottom).toBeLessThanOrEqual(rectOf(bar.element()).top);
});

it("open choices have the file's kind, its size and the length of the part beside Convert, after all fields", async () => {
  await openPage("/");
  await field.fill(LINK);
  await expect.element(opener).toBeVisible();
  await expect.element(bar).not.toBeInTheDocument();
  const { left } = rectOf(opener.element());
  await opener.click();
  await expect.element(bar).toMatchTextContent(/^MP3 · 128 kbps\s*about 0\.5 MB\s*Convert$/);
  // The button that opens them stays where it is.
  expect(rectOf(opener.element()).left).toBe(left);
  await panel.getByLabelText("Start", { exact: true }).fill("0:12");
  await userEvent.keyboard("{Enter}");
  await expect.element(bar).toMatchTextContent("about 0.5 MB · 0:18 chosen");
  await expect.element(convert).toHaveLength(1);
  expect(panel.element().compareDocumentPosition(convert.element())).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  await expectInView();
  await expectFocusUncovered();
  await expect.poll(violationsOfPage).toEqual([]);
  await opener.click();
  await expect.element(bar).not.toBeInTheDocument();
  await expect.element(convert).toBeVisible();
});

it("a batch has the count of its links beside Convert", async () => {
  await openPage("/", pro);
  await page.getByText("Batch", { exact: true }).click();
  await page.getByLabelText("Video links, one a line").fill(`${LINK}\n${LINK}?2`);
  await expect.element(bar).toMatchTextContent(/^2 found URLs out of 20\s*Convert all$/);
  await opener.click();
  await expect.element(panel).toBeVisible();
  await expectInView();
  await expectFocusUncovered();
  await expect.poll(violationsOfPage).toEqual([]);
});

it("a part that is offered instead of a video that is too long comes into view", async () => {
  const error = { code: "too_long", message: "Longer than 20 minutes." } as const;
  const tooLong = { quality: "128kbps", sizeBytes: null, fits: false, note: error.message, error } as const;
  fakeApi.answer("POST /api/preview", () =>
    json(makePreview({ durationSeconds: 3_000, estimates: { mp3: tooLong, mp4: tooLong } })),
  );
  await page.viewport(390, 664);
  await openPage("/");
  await field.fill(LINK);
  await page.getByRole("button", { name: "Take a part" }).click();
  const start = panel.getByLabelText("Start", { exact: true });
  await expect.element(start).toBeInTheDocument();
  await expect.poll(() => rectOf(start.element()).bottom).toBeLessThan(rectOf(bar.element()).top);
  expect(rectOf(start.element()).top).toBeGreaterThan(rectOf(page.getBySelector("header").element()).bottom);
  await expect.element(submit).toHaveAttribute("aria-disabled", "true");
});

it("the fields of another tab come into view above the bar, below their tabs", async () => {
  await openPage("/");
  await field.fill(LINK);
  await opener.click();
  const tabs = await panel.getByRole("tablist").findElement();
  for (const [width, height] of [...PHONES, [360, 640] as const]) {
    await page.viewport(width, height);
    const [open, ...others] = panel.getByRole("tab").elements();
    for (const tab of [...others, open].filter((one) => one !== undefined)) {
      // The tabs stand just above the bar, where nothing below them is seen.
      window.scrollBy(0, rectOf(tabs).bottom - rectOf(bar.element()).top);
      await userEvent.click(tab);
      const fields = panel.getBySelector("[role=tabpanel]:not([hidden])");
      const seen = () => rectOf(bar.element()).top - rectOf(fields.element()).top;
      await expect.poll(seen).toBeGreaterThanOrEqual(Math.min(rectOf(fields.element()).height, 200));
      expect(rectOf(tabs).top).toBeGreaterThanOrEqual(rectOf(page.getBySelector("header").element()).bottom);
    }
  }
});

it("the panel that has opened under a finger, and the page after Convert, take no tap at first", async () => {
  fakeApi.answer("POST /api/conversions", unanswered);
  await page.viewport(390, 664);
  await openPage("/");
  await field.fill(LINK);
  await opener.click();
  const untouched = (await panel.findElement()).getAnimations().map(({ effect }) => effect?.getTiming().duration);
  expect(untouched).toEqual([700]);
  expect(getComputedStyle(panel.element()).pointerEvents).toBe("none");
  fakeApi.answer("POST /api/conversions", () => json(makeJob()));
  await submit.click();
  await expect.element(rows.first()).toBeVisible();
  await expect.element(bar).not.toBeInTheDocument();
  const main = page.getBySelector("main").element();
  const durations = main.getAnimations().map(({ effect }) => effect?.getTiming().duration);
  expect(durations).toContain(700);
});
