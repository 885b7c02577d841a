import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { LANGUAGE_COOKIE } from "../../common/languages.ts";
import { shown } from "../src/testing/shown-limits.ts";
import { expectAccessible } from "./axe.ts";
import { cutTexts } from "./cut-texts.ts";
import { expect, expectNoLayoutShift, expectToastShown, goTo, recordPage, test } from "./home.ts";
import { REFUSED_TEXT } from "./mails.ts";
import { sentMails, serverOrigin, SUPPORT_EMAIL } from "./server.ts";
import { openSiteWithoutForm } from "./site-without-form.ts";

const NEXT_PROBLEM = [
  ["First name", "Ada", "Please enter your first name"],
  ["Last name", "Lovelace", "Please enter your last name"],
  ["Email", "ada@example.org", "Please enter your email address"],
  ["Subject", "bug", "Please choose a subject"],
  ["Message", "It hums.", "Please enter a message"],
] as const;

const send = (page: Page) => page.getByRole("button", { name: "Send message" });

async function fill(page: Page, label: string, value: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true });
  await (label === "Subject" ? field.selectOption(value) : field.fill(value));
}

test("shows subjects, times, questions and an address; a problem at each invalid field; focuses the first", async ({
  page,
}) => {
  await goTo(page, "/contact");
  await expect(page.getByLabel("Subject").locator("option:not([disabled])")).toHaveText([
    "Technical support",
    "Billing",
    "Feature request",
    "Bug report",
    "General question",
    "Partnership",
  ]);
  const times = page.locator("dl");
  for (const time of ["within 4 hours", "within 2 hours", "within 24 hours", "priority"])
    await expect(times).toContainText(time);
  await expect(page.getByRole("link", { name: SUPPORT_EMAIL })).toHaveAttribute("href", `mailto:${SUPPORT_EMAIL}`);
  await page.getByText("Can you bring back an expired file?").click();
  await expect(
    page.getByText(`Files are deleted for good after ${shown.free.kept} (free) or ${shown.pro.kept} (Pro)`),
  ).toBeVisible();

  for (const [label, value, problem] of NEXT_PROBLEM) {
    const field = page.getByLabel(label, { exact: true });
    await send(page).click();
    await expect(field).toBeFocused();
    await expect(field).toHaveAttribute("aria-invalid", "true");
    await expect(field).toHaveAccessibleDescription(problem);
    await fill(page, label, value);
    await expect(field).toHaveAttribute("aria-invalid", "false");
    await expect(field).toHaveAccessibleDescription("");
  }
});

/** Fills in the form; the message is `text`. */
async function fillAll(page: Page, text: string): Promise<void> {
  for (const [label, value] of NEXT_PROBLEM) await fill(page, label, label === "Message" ? text : value);
}

async function expectFilled(page: Page, text: string): Promise<void> {
  for (const [label, value] of NEXT_PROBLEM)
    await expect(page.getByLabel(label, { exact: true })).toHaveValue(label === "Message" ? text : value);
}

const alert = (page: Page) => page.locator("form").getByRole("alert");

test("a message that the mail server refuses stays in the form, beside the address; then it is sent", async ({
  page,
}) => {
  const id = randomUUID();
  const text = `${REFUSED_TEXT} ${id}`;
  await page.setViewportSize({ width: 390, height: 844 });
  await goTo(page, "/contact");
  await fillAll(page, text);
  await send(page).click();
  await expect(alert(page)).toContainText("Message not sent");
  await expect(alert(page)).toContainText("Your message could not be sent, and its text is still here.");
  await expect(alert(page).getByRole("link", { name: SUPPORT_EMAIL })).toHaveAttribute(
    "href",
    `mailto:${SUPPORT_EMAIL}?body=${encodeURIComponent(text)}`,
  );
  await expectFilled(page, text);
  await expect(send(page)).toBeEnabled();
  await expect(page.locator("[data-scope=toast]")).toHaveCount(0);
  await expectAccessible(page, "a message that was not sent");
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 640 });
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await expect.poll(() => page.evaluate(cutTexts)).toEqual([]);
  }
  // The text is still there after a visit to another page.
  await page.getByRole("contentinfo").getByRole("link", { name: "Help" }).click();
  await page.getByRole("link", { name: "Contact Support" }).click();
  await expectFilled(page, text);
  await fill(page, "Message", `Now it goes through ${id}`);
  await send(page).click();
  await expectToastShown(page, "Message Sent");
  await expect(alert(page)).toHaveCount(0);
  for (const [label] of NEXT_PROBLEM) await expect(page.getByLabel(label, { exact: true })).toHaveValue("");
  const mails = await sentMails(id);
  expect(mails).toHaveLength(1);
  expect(mails[0]).toContain("Reply-To: Ada Lovelace <ada@example.org>");
  expect(mails[0]).toContain(`To: ${SUPPORT_EMAIL}`);
});

test("what is typed before the script runs stays, and nothing moves", async ({ page }) => {
  const errors: string[] = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await recordPage(page);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto("/contact", { waitUntil: "commit" });
  const text = `Early ${randomUUID()}`;
  await fillAll(page, text);
  await expect(send(page)).toBeDisabled();
  release();
  await expect(send(page)).toBeEnabled();
  await expectFilled(page, text);
  await send(page).click();
  await expectToastShown(page, "Message Sent");
  expect(await sentMails(text)).toHaveLength(1);
  expect(errors).toEqual([]);
  await expectNoLayoutShift(page, Number.EPSILON);
});

test("without a script the page names the address", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${serverOrigin()}/contact`);
  // Locators by text ignore this element.
  const note = page.locator("noscript > div");
  await expect(note).toBeVisible();
  await expect(note).toHaveText("This form needs JavaScript. Please write to our address instead.");
  await expect(page.getByRole("link", { name: SUPPORT_EMAIL })).toHaveAttribute("href", `mailto:${SUPPORT_EMAIL}`);
  await context.close();
});

test.describe("without a mail server", () => {
  const WRITE = { en: "Write to us", de: "Schreib uns", es: "Escríbenos", hi: "हमें लिखें", ar: "راسلنا" } as const;

  test("the page asks to write to the address, has no form, and hydration changes nothing", async ({
    page,
    context,
  }) => {
    using site = await openSiteWithoutForm();
    const errors: string[] = [];
    page.on("console", (message) => {
      // That site has no sockets.
      const isOfSocket = [message.text(), message.location().url].some((text) => text.includes("/socket.io/"));
      if (message.type() === "error" && !isOfSocket) errors.push(message.text());
    });
    await recordPage(page);
    for (const [language, title] of Object.entries(WRITE)) {
      await context.addCookies([{ name: LANGUAGE_COOKIE, value: language, url: site.origin }]);
      const html = await (await page.request.get(`${site.origin}/contact`)).text();
      expect(html).toContain(title);
      expect(html).not.toContain("<form");
      await goTo(page, `${site.origin}/contact`);
      await expect(page.getByRole("heading", { level: 2, name: title })).toBeVisible();
      await expect(page.getByRole("main").getByRole("link", { name: SUPPORT_EMAIL })).toHaveCount(1);
      await expect(page.locator("form")).toHaveCount(0);
      await expectNoLayoutShift(page, Number.EPSILON);
      for (const width of [320, 390]) {
        await page.setViewportSize({ width, height: 640 });
        await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
        await expect.poll(() => page.evaluate(cutTexts)).toEqual([]);
      }
      await page.setViewportSize({ width: 1280, height: 800 });
    }
    await expectAccessible(page, "the contact page without a form");
    expect(errors).toEqual([]);
  });

  test("the page has no form after navigation either", async ({ page }) => {
    using site = await openSiteWithoutForm();
    await goTo(page, `${site.origin}/help`);
    await page.getByRole("link", { name: "Contact Support" }).click();
    await expect(page.getByRole("heading", { level: 2, name: "Write to us" })).toBeVisible();
    await expect(page.locator("form")).toHaveCount(0);
  });
});
