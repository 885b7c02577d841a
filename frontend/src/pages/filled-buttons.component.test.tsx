import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { SENTENCES } from "../../../common/errors.ts";
import { notify } from "../client/toaster.ts";
import { broken, fakeApi, json, refusal } from "../testing/fake-api.ts";
import { filledButtons } from "../testing/filled-buttons.ts";
import { openPage } from "../testing/open-page.tsx";
import { makeConfig, makeUser } from "../testing/sample-answers.ts";
import { makeReadyJob } from "../testing/sample-jobs.ts";

const pro = makeUser({ tier: "pro" });
const subscribed = (status: "active" | "paused") =>
  makeUser({
    tier: status === "active" ? "pro" : "free",
    subscription: {
      plan: "yearly",
      status,
      periodEndsAt: "2099-01-01T00:00:00.000Z",
      cancelsAtPeriodEnd: false,
      graceEndsAt: null,
    },
  });
const jobs = [makeReadyJob("one", 8), makeReadyJob("two", 9)];

it.each([
  ["/login", {}, ["Sign in as Pro User"]],
  ["/help", {}, ["Contact Support"]],
  ["/contact", {}, ["Send message"]],
  ["/speed", {}, []],
  ["/privacy", {}, []],
  ["/terms", {}, []],
  ["/api", {}, []],
  ["/no/such/place", {}, ["Back to the converter"]],
  ["/plans", {}, ["Choose Yearly"]],
  ["/dashboard", { user: makeUser() }, ["Converter"]],
  ["/dashboard", { user: pro, jobs }, ["Download Tape two"]],
  ["/pro", { user: pro }, []],
  ["/pro", { user: pro, jobs }, ["Download Tape two"]],
  ["/subscribe", { user: pro }, []],
  ["/subscribe", { user: subscribed("active") }, ["Manage billing"]],
  ["/subscribe", { user: subscribed("paused") }, ["Contact Support"]],
  ["/dashboard", { user: subscribed("paused") }, ["Converter"]],
])("%s has at most one filled button (%#)", async (path, options, names) => {
  await openPage(path, options);
  await expect.poll(filledButtons).toEqual(names);
});

const button = (name: string) => page.getByRole("button", { name });

it("the dashboard keeps one beside its open forms, a new secret and a sign-in that is asked for", async () => {
  const token = { id: "one", name: "Phone", ending: "abcd", scopes: ["read"], createdAt: "2026-01-01T12:00:00.000Z" };
  fakeApi.answer("GET /api/tokens", () => json({ tokens: [] }));
  fakeApi.answer("GET /api/webhooks", () => json({ webhooks: [] }));
  fakeApi.answer("POST /api/tokens", () => json({ ...token, lastUsedAt: null, secret: "td_secret" }, 201));
  fakeApi.answer("DELETE /api/account", () => refusal(403, "fresh_sign_in_required", SENTENCES.fresh_sign_in_required));
  await openPage("/dashboard", { user: makeUser() });
  await button("New webhook").click();
  await button("New token").click();
  await page.getByLabelText("Name of the token").fill("Phone");
  expect(filledButtons()).toEqual(["Converter"]);
  await button("Make token").click();
  await expect.element(button("Copy")).toBeVisible();
  expect(filledButtons()).toEqual(["Converter"]);
  await button("Delete account").click();
  await page.getByRole("region", { name: "Account" }).getByRole("textbox").fill("delete my account");
  expect(filledButtons()).toEqual(["Converter"]);
  await button("Delete my account").click();
  await expect.element(button("Sign in again")).toBeVisible();
  expect(filledButtons()).toEqual(["Converter"]);
});

it.each([
  ["with the form", () => json({ clientSecret: "pi_1_secret_1", isSetupIntent: false }), ["Pay $90 per year"]],
  ["without a secret", () => json({ isSetupIntent: false }), ["Go Back"]],
])("the checkout %s has one", async (_state, answer, names) => {
  fakeApi.answer("POST /api/create-subscription", answer);
  await openPage("/subscribe?plan=yearly", { user: makeUser() });
  await expect.poll(filledButtons).toEqual(names);
});

it("a checkout that is not set up has one", async () => {
  fakeApi.answer("GET /api/config", () => json(makeConfig({ paymentAvailable: false, stripePublishableKey: null })));
  await openPage("/subscribe");
  await expect.poll(filledButtons).toEqual(["Contact Support"]);
});

it("a toast with a file adds none to its page", async () => {
  await openPage("/help");
  notify({ kind: "success", title: "Ready", download: { url: "/file", label: "Download", name: "Download Rain" } });
  await expect.element(page.getByRole("link", { name: "Download Rain" })).toBeVisible();
  expect(filledButtons()).toEqual(["Contact Support"]);
});

it("a page that does not reach the server has one", async () => {
  fakeApi.answer("GET /api/conversions", broken);
  fakeApi.answer("GET /api/device-info", broken);
  fakeApi.answer("GET /api/auth/user", broken);
  await openPage("/dashboard");
  await expect.element(page.getByRole("alert")).toBeVisible();
  await expect.poll(filledButtons).toEqual(["Try again"]);
});
