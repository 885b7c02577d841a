/** The podcast feed on the dashboard, whose address is shown once. */
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { SENTENCES } from "../../../../common/errors.ts";
import { broken, fakeApi, json, refusal } from "../../testing/fake-api.ts";
import { openPage } from "../../testing/open-page.tsx";
import { makeUser } from "../../testing/sample-answers.ts";

const section = page.getByRole("region", { name: "My tapes as a podcast" });
const button = (name: string) => section.getByRole("button", { name });
const FEED = { createdAt: "2026-01-01T12:00:00.000Z", lastReadAt: null };
const created = (number: number) =>
  json({ ...FEED, createdAt: `2026-01-0${number}T12:00:00.000Z`, url: `/feed?key=number-${number}` }, 201);

beforeEach(() => {
  fakeApi.answer("GET /api/tokens", () => json({ tokens: [] }));
  fakeApi.answer("GET /api/webhooks", () => json({ webhooks: [] }));
});

it("shows the address once it is made, replaces it, and turns the feed off", async () => {
  await openPage("/dashboard", { user: makeUser() });
  await expect.element(section).toMatchTextContent("No address yet");
  fakeApi.answer("POST /api/feed", () => created(1));
  await button("Make the address").click();
  const address = section.getByRole("textbox");
  await expect.element(address).toHaveValue(`${window.location.origin}/feed?key=number-1`);
  const link = section.getByRole("link", { name: "Open in a podcast app" });
  await expect.element(link).toHaveAttribute("href", `pcast://${window.location.host}/feed?key=number-1`);
  await expect.element(section).toMatchTextContent("not read by an app yet");
  fakeApi.answer("POST /api/feed", () => created(2));
  await button("New address for My tapes as a podcast").click();
  await expect.element(address).toHaveValue(`${window.location.origin}/feed?key=number-1`);
  await button("Replace the old address").click();
  await expect.element(address).toHaveValue(`${window.location.origin}/feed?key=number-2`);
  await expect.element(button("New address for My tapes as a podcast")).toBeVisible();
  await button("Done").click();
  await expect.element(address).not.toBeInTheDocument();
  fakeApi.answer("DELETE /api/feed", () => new Response(null, { status: 204 }));
  await button("Turn off My tapes as a podcast").click();
  await button("Turn off for good").click();
  await expect.element(section).toMatchTextContent("No address yet");
});

it("can be loaded again when it could not be loaded", async () => {
  fakeApi.answer("GET /api/feed", broken);
  await openPage("/dashboard", { user: makeUser() });
  await expect.element(section.getByRole("alert")).toMatchTextContent("The feed could not be loaded.");
  fakeApi.answer("GET /api/feed", () => json({ feed: { ...FEED, lastReadAt: FEED.createdAt } }));
  await button("Try again").click();
  await expect.element(section).toMatchTextContent("Your feed is on");
  await expect.element(section).toMatchTextContent("last read");
});

it("asks for a fresh sign-in when one is needed, and leaves the button", async () => {
  await openPage("/dashboard", { user: makeUser() });
  fakeApi.answer("POST /api/feed", () => refusal(403, "fresh_sign_in_required", SENTENCES.fresh_sign_in_required));
  await button("Make the address").click();
  await expect.element(section.getByRole("alert")).toMatchTextContent("Please sign in once more first");
  await expect.element(button("Sign in again")).toBeVisible();
  await expect.element(button("Make the address")).toBeEnabled();
});
