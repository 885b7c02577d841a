/** Tokens and webhooks on the dashboard, whose secrets are shown once. */
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { SENTENCES } from "../../../../common/errors.ts";
import { broken, fakeApi, json, refusal } from "../../testing/fake-api.ts";
import { openPage } from "../../testing/open-page.tsx";
import { makeUser } from "../../testing/sample-answers.ts";

const tokens = page.getByRole("region", { name: "Tokens for programs" });
const webhooks = page.getByRole("region", { name: "Webhooks" });

beforeEach(() => {
  fakeApi.answer("GET /api/tokens", () => json({ tokens: [] }));
  fakeApi.answer("GET /api/webhooks", () => json({ webhooks: [] }));
});

it("tokens that cannot be loaded can be loaded again, and a refused one says why", async () => {
  fakeApi.answer("GET /api/tokens", broken);
  await openPage("/dashboard", { user: makeUser() });
  await expect.element(tokens).toMatchTextContent("The tokens could not be loaded.");
  fakeApi.answer("GET /api/tokens", () => json({ tokens: [] }));
  await tokens.getByRole("button", { name: "Try again" }).click();
  await tokens.getByRole("button", { name: "New token" }).click();
  // Another page has made the only token of the plan first.
  fakeApi.answer("POST /api/tokens", () => refusal(403, "pro_required", "The free plan has one token."));
  const name = tokens.getByLabelText("Name of the token");
  await name.fill("Second");
  await tokens.getByRole("button", { name: "Make token" }).click();
  await expect.element(tokens.getByRole("alert")).toMatchTextContent("The free plan has one token.");
  await expect.element(name).toHaveValue("Second");
});

it("asks for a fresh sign-in when one is needed for a token", async () => {
  fakeApi.answer("POST /api/tokens", () => refusal(403, "fresh_sign_in_required", SENTENCES.fresh_sign_in_required));
  await openPage("/dashboard", { user: makeUser() });
  await tokens.getByRole("button", { name: "New token" }).click();
  await tokens.getByLabelText("Name of the token").fill("Phone");
  await tokens.getByRole("button", { name: "Make token" }).click();
  await expect.element(tokens.getByRole("alert")).toMatchTextContent("Please sign in once more first");
  await expect.element(tokens.getByRole("button", { name: "Sign in again" })).toBeVisible();
});

it("the dashboard says why a webhook is off, and turns it on again", async () => {
  const webhook = { id: "one", url: "https://program.example/", createdAt: "2026-01-01T12:00:00.000Z", deliveries: [] };
  fakeApi.answer("GET /api/webhooks", () => json({ webhooks: [{ ...webhook, disabledReason: "gone" }] }));
  fakeApi.answer("POST /api/webhooks/one/enable", () => json({ ...webhook, disabledReason: null }));
  await openPage("/dashboard", { user: makeUser() });
  await expect.element(webhooks).toMatchTextContent("Off: your program answered that it wants no more messages.");
  await webhooks.getByRole("button", { name: "Turn on again" }).click();
  await expect.element(webhooks.getByRole("button", { name: "Turn on again" })).not.toBeInTheDocument();
  await expect.element(webhooks).not.toMatchTextContent("Off:");
});
