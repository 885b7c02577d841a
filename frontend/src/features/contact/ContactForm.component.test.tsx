import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { press } from "../../testing/actions.ts";
import { broken, fakeApi, json } from "../../testing/fake-api.ts";
import { openPage } from "../../testing/open-page.tsx";
import { expectToastShown } from "../../testing/toasts.ts";

const NEXT_PROBLEM = [
  ["First name", "Ada", "Please enter your first name"],
  ["Last name", "Lovelace", "Please enter your last name"],
  ["Email", "ada@example.org", "Please enter your email address"],
  ["Subject", "bug", "Please choose a subject"],
  ["Message", "It hums.", "Please enter a message"],
] as const;

const labelled = (label: string) => page.getByLabelText(label, { exact: true });
const send = page.getByRole("button", { name: "Send message" });
const alert = page.getBySelector("form").getByRole("alert");
const invalid = page.getBySelector("[aria-invalid=true]");

async function fill(label: string, value: string): Promise<void> {
  await (label === "Subject" ? labelled(label).selectOptions(value) : labelled(label).fill(value));
}

/** Fills in the form; the message is `text`. */
async function fillAll(text: string): Promise<void> {
  for (const [label, value] of NEXT_PROBLEM) await fill(label, label === "Message" ? text : value);
}

async function expectFilled(text: string): Promise<void> {
  for (const [label, value] of NEXT_PROBLEM)
    await expect.element(labelled(label)).toHaveValue(label === "Message" ? text : value);
}

async function expectEmpty(): Promise<void> {
  for (const [label] of NEXT_PROBLEM) await expect.element(labelled(label)).toHaveValue("");
}

it("shows no problems before the first submit, and tells an invalid email address from a missing one", async () => {
  await openPage("/contact");
  await fill("Email", "ada@nowhere");
  await userEvent.keyboard("{Tab}");
  await expect.element(invalid).not.toBeInTheDocument();
  await send.click();
  await expect
    .element(labelled("Email"))
    .toHaveAccessibleDescription("Please enter an email address such as name@example.org");
});

it("sends a message by keyboard: busy until the mail server has it, then a toast and an empty form", async () => {
  const held = Promise.withResolvers<Response>();
  fakeApi.answer("POST /api/contact", () => held.promise);
  await openPage("/contact");
  await press(labelled("First name"), "Ada{Tab}Lovelace{Tab}ada@example.org{Tab}");
  await expect.element(labelled("Subject")).toHaveFocus();
  await userEvent.keyboard("Bug{Tab}It hums.{Tab}");
  await expect.element(send).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  const busy = page.getByRole("button", { name: "Sending..." });
  await expect.element(busy).toHaveAttribute("aria-busy", "true");
  // A second press sends nothing more.
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getBySelector("[data-scope=toast]")).not.toBeInTheDocument();
  held.resolve(json({ sent: true }));
  await expectToastShown("Message Sent Thank you for contacting us! We'll get back to you within 24 hours.");
  await expectEmpty();
  await expect.element(invalid).not.toBeInTheDocument();
  await expect.element(send).toHaveFocus();
  expect(fakeApi.bodies("POST /api/contact")).toEqual([
    { firstName: "Ada", lastName: "Lovelace", email: "ada@example.org", subject: "bug", message: "It hums." },
  ]);
});

it("says so on another page when a message was not sent", async () => {
  const held = Promise.withResolvers<Response>();
  fakeApi.answer("POST /api/contact", () => held.promise);
  await openPage("/contact");
  await fillAll("It hums.");
  await send.click();
  const form = document.querySelector("form");
  // It fails at the very moment at which the form has left the page.
  new MutationObserver(() => {
    if (!form?.isConnected) held.reject(new TypeError("Failed to fetch"));
  }).observe(document, { subtree: true, childList: true });
  await page.getByRole("contentinfo").getByRole("link", { name: "Help" }).click();
  await expectToastShown("Message not sent");
  await expect.element(page.getByRole("heading", { level: 1, name: "Help" })).toBeVisible();
  await page.getByRole("link", { name: "Contact Support" }).click();
  await expectFilled("It hums.");
});

it("keeps the text without a network, and sends it when there is one again", async () => {
  await openPage("/contact");
  await fillAll("Offline");
  fakeApi.answer("POST /api/contact", broken);
  await send.click();
  await expect.element(alert).toMatchTextContent("There is no connection, and your text is still here.");
  await expectFilled("Offline");
  fakeApi.answer("POST /api/contact", () => json({ sent: true }));
  await send.click();
  await expectToastShown("Message Sent");
  expect(fakeApi.bodies("POST /api/contact")).toHaveLength(2);
});

it("says when the next message may be sent", async () => {
  const reason = { name: "too_many_requests", retryAfterSeconds: 1_260 };
  fakeApi.answer("POST /api/contact", () => json({ code: "too_many_requests", message: "Later.", reason }, 429));
  await openPage("/contact");
  await fillAll("One more.");
  await send.click();
  await expect.element(alert).toMatchTextContent("You have sent several messages. Try again in 21 minutes");
  await expectFilled("One more.");
});

it("refuses a message that is too long, and cuts nothing off", async () => {
  await openPage("/contact");
  await fillAll("x".repeat(5_001));
  await send.click();
  const message = labelled("Message");
  await expect.element(message).toHaveFocus();
  await expect.element(message).toHaveAccessibleDescription("Please shorten your message to 5,000 characters");
  await expect.element(message).toHaveValue("x".repeat(5_001));
});
