/** A finished file is cut anew on its waveform, and the link to its part opens the same part for others. */
import { Job } from "../../common/job.ts";
import { expectAccessible } from "./axe.ts";
import { expect, resize, test } from "./home.ts";
import { probe } from "./probe.ts";

const PHONE = { width: 390, height: 844 };

test("a part of a finished file is cut without its site, and its link opens the same part", async ({ page, home }) => {
  await resize(page, PHONE);
  const first = home.rowOf(await home.convert(await home.sampleLink("rain")));
  await expect(first).toHaveAttribute("data-status", "completed");
  await first.getByRole("button", { name: "Cut again: Rain on a tin roof" }).click();
  const sheet = page.getByRole("dialog", { name: "Cut again" });
  await expect(sheet.locator("[data-waveform]")).toBeVisible();
  await expectAccessible(page, "the sheet that cuts");

  const start = sheet.getByLabel("Start", { exact: true });
  await start.fill("0:05");
  await start.press("Enter");
  const end = sheet.getByLabel("End", { exact: true });
  await end.fill("0:12.5");
  await end.press("Enter");
  await sheet.getByRole("button", { name: "Hear the end" }).click();
  // It is played to the seam, and no further.
  await expect(first.locator("[aria-label^=Pause]")).toHaveCount(1);
  await expect(first.locator("[aria-label^=Pause]")).toHaveCount(0);
  await expect(first).toContainText("0:12");
  const address = await sheet.getByLabel("Link to this part").inputValue();
  const answer = page.waitForResponse((response) => response.url().endsWith("/cuts"));
  await sheet.getByRole("button", { name: "Cut", exact: true }).click();
  await expect(sheet).toHaveCount(0);
  const cut = home.rowOf(Job.parse(await (await answer).json()));
  await expect(cut).toHaveAttribute("data-status", "completed");
  const downloading = page.waitForEvent("download");
  await cut.getByRole("link", { name: "Download" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("Rain on a tin roof (0.05-0.13).mp3");
  const { format } = await probe(download);
  expect(format.duration).toBeCloseTo(7.5, 0);

  await page.goto(address);
  await expect(page.getByLabel("Video link")).toHaveValue(/rain/);
  const choices = page.getByRole("group", { name: "Choices for this video" });
  await expect(choices.getByLabel("Start", { exact: true })).toHaveValue("0:05");
  await expect(choices.getByLabel("End", { exact: true })).toHaveValue("0:12.5");
  expect(new URL(page.url()).search).toBe("");
  // Nothing has started without a press.
  await expect(page.locator("[data-job][data-status=processing]")).toHaveCount(0);
});
