import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { openPage } from "../testing/open-page.tsx";

it.each([
  ["unavailable", /cannot be reached/],
  ["refused", /refused or called off/],
  ["expired", /took too long/],
  ["invalid", /could not be trusted/],
  ["rate_limited", /Too many sign-ins/],
])("explains why a sign-in has ended: %s", async (code, message) => {
  await openPage(`/login?error=${code}`);
  await expect.element(page.getByRole("alert")).toMatchTextContent(message);
  await expect.element(page.getByRole("button", { name: "Sign in as Pro User" })).toBeEnabled();
});
