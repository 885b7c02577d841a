import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { openPage } from "../../testing/open-page.tsx";
import { makeUser } from "../../testing/sample-answers.ts";
import { initialsOf } from "./AccountMenu.tsx";

const banner = page.getByRole("banner");
const account = banner.getByRole("button", { name: "Account" });

it.each([
  ["Ada", "A"],
  ["Ada Lovelace King", "AL"],
  ["ada.lovelace@example.org", "al"],
  ["Ægir 𝒪", "Æ𝒪"],
])("takes the initials of %s: %s", (name, initials) => expect(initialsOf(name)).toBe(initials));

it("the initials of a signed-in user open the ways to the account, and Escape closes them", async () => {
  await page.viewport(1280, 800);
  await openPage("/", { user: makeUser({ tier: "pro" }) });
  await expect.element(account).toMatchTextContent("A");
  await expect.element(banner.getByText("Pro User · Ada")).toBeVisible();
  await account.click();
  const menu = page.getByRole("navigation", { name: "Account" });
  const links = menu.getByRole("link");
  expect(links.elements().map((link) => link.getAttribute("href"))).toEqual(["/pro", "/dashboard", "/api/logout"]);
  await expect.element(menu).toMatchTextContent("ada@example.org");
  await userEvent.keyboard("{Escape}");
  await expect.element(menu).not.toBeInTheDocument();
  await expect.element(account).toHaveFocus();
});

it("narrow bars have one menu", async () => {
  await page.viewport(820, 800);
  await openPage("/", { user: makeUser() });
  await expect.element(banner.getByRole("button", { name: "Menu" })).toBeVisible();
  await expect.element(account).not.toBeInTheDocument();
});
