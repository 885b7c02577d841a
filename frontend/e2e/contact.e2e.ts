import type { Page } from "@playwright/test";
import { expect, goTo, test } from "./home.ts";
import { SUPPORT_EMAIL } from "./server.ts";

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

test("shows a problem at each invalid field and focuses the first", async ({ page }) => {
  await goTo(page, "/contact");
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

test("distinguishes an invalid email address from a missing one", async ({ page }) => {
  await goTo(page, "/contact");
  await fill(page, "Email", "ada@nowhere");
  await send(page).click();
  await expect(page.getByLabel("Email", { exact: true })).toHaveAccessibleDescription(
    "Please enter an email address such as name@example.org",
  );
});

test("shows no problems before the first submit", async ({ page }) => {
  await goTo(page, "/contact");
  await page.getByLabel("Email", { exact: true }).fill("a");
  await page.keyboard.press("Tab");
  await expect(page.locator("[aria-invalid=true]")).toHaveCount(0);
});

test("sends a message by keyboard: one second, a toast, an empty form and no request", async ({ page }) => {
  const nowMs = Date.now();
  await page.clock.install({ time: nowMs });
  await goTo(page, "/contact");
  await page.getByLabel("First name").focus();
  await page.clock.pauseAt(nowMs + 60_000);
  const calls: string[] = [];
  page.on("request", (request) => request.method() !== "GET" && calls.push(`${request.method()} ${request.url()}`));
  for (const text of ["Ada", "Lovelace", "ada@example.org", "Bug", "It hums."]) {
    await page.keyboard.type(text);
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Sending..." })).toHaveAttribute("aria-busy", "true");
  await page.clock.runFor(900);
  const toast = page.locator("[data-scope=toast][data-part=root]");
  await expect(toast).toHaveCount(0);
  await page.clock.runFor(200);
  await expect(toast).toContainText("Message Sent");
  await expect(toast).toContainText("Thank you for contacting us! We'll get back to you within 24 hours.");
  for (const [label] of NEXT_PROBLEM) await expect(page.getByLabel(label, { exact: true })).toHaveValue("");
  await expect(page.locator("[aria-invalid=true]")).toHaveCount(0);
  expect(calls).toEqual([]);
});

test("shows subjects, response times, common questions and an address", async ({ page }) => {
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
  await expect(page.getByText("Files are deleted for good after 1 hour (free) or 7 days (Pro)")).toBeVisible();
});
