import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { openPage } from "../../testing/open-page.tsx";
import { violationsInDark, violationsOfPage } from "../../testing/violations.ts";

it('"When ready…" has a named switch for each thing that the page does then', async () => {
  await page.viewport(390, 664);
  await openPage();
  const panel = page.getByRole("group", { name: "When ready…" });
  await page.getByRole("button", { name: "When ready…" }).click();
  const download = panel.getByRole("button", { name: /^Download by itself/ });
  const tone = panel.getByRole("button", { name: /^Play a tone/ });
  await expect.element(tone).toBeVisible();
  await expect.element(panel.getByText("Notify me when a conversion ends")).toBeVisible();
  await download.click();
  await expect.element(download).toHaveAttribute("aria-pressed", "true");
  await expect.element(tone).toHaveAttribute("aria-pressed", "false");
  // The way to the samples appears a moment later, and fades in.
  await expect.poll(violationsOfPage).toEqual([]);
  await expect.poll(violationsInDark).toEqual([]);
});
