/** A file goes to another device: its owner shows a code, and the device needs neither account nor scripts. */
import { stat } from "node:fs/promises";
import { expectAccessible } from "./axe.ts";
import { expect, resize, test } from "./home.ts";

const PHONE = { width: 390, height: 844 };

test("a link is opened once on another device, which its owner sees, and then no more", async ({
  page,
  home,
  browser,
}) => {
  const row = home.rowOf(await home.convert(await home.sampleLink("rain")));
  await expect(row).toHaveAttribute("data-status", "completed");
  await row.getByRole("button", { name: "To my phone: Rain on a tin roof" }).click();
  const sheet = page.getByRole("dialog", { name: "To my phone" });
  await expect(sheet.getByRole("img", { name: "QR code of the link" })).toBeVisible();
  const address = await sheet.getByLabel("Link to the file").inputValue();

  const other = await browser.newContext({ javaScriptEnabled: false, viewport: PHONE, isMobile: true, hasTouch: true });
  const phone = await other.newPage();
  await phone.goto(address);
  await expect(phone.getByRole("heading", { level: 1 })).toHaveText("Rain on a tin roof.mp3");
  await expect(phone.getByText("This link works once")).toBeVisible();
  await expect(sheet).toContainText("Works once.");
  const downloading = phone.waitForEvent("download");
  await phone.getByRole("link", { name: "Download" }).tap();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("Rain on a tin roof.mp3");
  expect((await stat(await download.path())).size).toBeGreaterThan(1_000);

  await expect(sheet).toContainText(/This link is used up\.\s*Opened 1 time\./);
  await phone.goto(address);
  await expect(phone.getByRole("heading", { level: 1 })).toHaveText("This link does not work any more");
  await expect(phone.getByRole("link", { name: "Download" })).toHaveCount(0);

  await resize(page, PHONE);
  await sheet.getByText("10 minutes").click();
  await expect(sheet).toContainText("min left");
  await expectAccessible(page, "the sheet with a link");
  const second = await sheet.getByLabel("Link to the file").inputValue();
  await phone.goto(second);
  await expect(phone.getByText(/This link ends in (?:9|10) minutes/)).toBeVisible();
  await sheet.getByRole("button", { name: "Revoke" }).click();
  await expect(sheet).toContainText("This link was revoked.");
  await phone.reload();
  await expect(phone.getByRole("heading", { level: 1 })).toHaveText("This link does not work any more");
  await other.close();
});
