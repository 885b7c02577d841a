/** The extension for Chrome, in the real browser, with the real server. */
import { stat } from "node:fs/promises";
import { SENTENCES } from "../../common/errors.ts";
import { JobList } from "../../common/api.ts";
import { expectAccessible } from "./axe.ts";
import { en } from "../extension/texts/en.ts";
import { ExtensionBrowser } from "./extension-browser.ts";
import { expect, test } from "./home.ts";
import { serverOrigin } from "./server.ts";
import { newUser, signIn } from "./users.ts";

test("converts a page, goes on after its background was stopped, downloads the file, and tells refusals", async () => {
  await using extension = await ExtensionBrowser.open();
  const { options, home, context } = extension;
  // The oldest Chrome that the manifest allows does not have it.
  await options.addInitScript(() => void Reflect.deleteProperty(URL, "parse"));
  await options.reload();
  const user = newUser();
  await signIn(options, user);
  const token = await extension.makeToken("read", "convert", "download");
  const outcome = options.getByRole("status");

  await test.step("options are tried before they are kept", async () => {
    await options.getByLabel("Address of the server").fill(serverOrigin());
    await expect(options.getByRole("link", { name: "Open the dashboard" })).toHaveAttribute(
      "href",
      `${serverOrigin()}/dashboard`,
    );
    await options.getByLabel("Token").fill("tapedeck_wrong");
    await options.getByRole("button", { name: "Save" }).click();
    await expect(outcome).toHaveText(SENTENCES.invalid_token);
    await expectAccessible(options, "the options of the extension");
    await options.getByLabel("Token").fill(token.secret);
    await options.getByRole("button", { name: "Save" }).click();
    await expect(outcome).toHaveText(`Hello ${user.firstName}. Everything is set.`);
  });

  const page = await context.newPage();
  const link = await home.sampleLink("held");
  const jobs = async () => JobList.parse(await (await context.request.get("/api/conversions")).json());

  await test.step("the badge shows the progress, also after the background was stopped", async () => {
    // The video of the page is held back too.
    await page.goto(link, { waitUntil: "commit" });
    await extension.press(page);
    await extension.expectBadge(/^\d+%$/);
    await extension.expectTitle(/^A line that is held: \d+ %$/);
    await extension.press(page);
    await extension.stopBackground();
    await home.releaseHeld(link);
    await expect.poll(async () => (await jobs()).map(({ status }) => status)).toEqual(["completed"]);
    await extension.expectBadge(/%$/);
    await extension.ringAlarm();
    await extension.expectBadge("✓");
  });

  await test.step("a press of the finished badge downloads the file", async () => {
    await extension.expectTitle("Ready. Press to download: A line that is held");
    await extension.press(page);
    const [file] = await extension.downloads();
    const [job] = await jobs();
    expect((await stat(file?.filename ?? "")).size).toBe(job?.status === "completed" ? job.fileSize : undefined);
    await extension.expectBadge("");
    await extension.expectTitle("Convert this page");
  });

  await test.step("a refused link and a revoked token are told in the server's words", async () => {
    await page.goto("/robots.txt");
    await extension.press(page);
    await extension.expectBadge("!");
    await extension.expectTitle(SENTENCES.unsupported_host);
    const popup = await extension.openPopup();
    await expect(popup.getByRole("listitem")).toContainText([SENTENCES.unsupported_host]);
    await expectAccessible(popup, "the problems of the extension");
    await extension.expectBadge("");
    await popup.close();
    await extension.revoke(token);
    await page.goto(await home.sampleLink("held"), { waitUntil: "commit" });
    await extension.press(page);
    await extension.expectBadge("!");
    await extension.expectTitle(SENTENCES.invalid_token);
  });

  await test.step("what has failed is tried again with another token", async () => {
    const popup = await extension.openPopup();
    await expect(popup.getByRole("listitem")).toContainText([SENTENCES.invalid_token]);
    const other = await extension.makeToken("read", "convert", "download");
    await options.getByLabel("Token").fill(other.secret);
    await options.getByRole("button", { name: "Save" }).click();
    await expect(outcome).toHaveText(/^Hello/);
    const closed = popup.waitForEvent("close");
    // The popup closes itself while the job is under way, sometimes before the click has been confirmed.
    const pressed = popup
      .getByRole("button", { name: "Try again" })
      .click()
      .catch((error: unknown) => expect(String(error)).toContain("has been closed"));
    await Promise.all([closed, pressed]);
    await extension.expectBadge(/^\d+%$/);
  });
});

test("asks for the permission to reach the server and nothing else, and keeps nothing when it is refused", async () => {
  await using extension = await ExtensionBrowser.open({ mayReachServer: false });
  const { options } = extension;
  const before = await extension.readState();
  expect(before.mayReachServer).toBe(false);
  const asked = await extension.refusePermissions();
  await options.getByLabel("Address of the server").fill(serverOrigin());
  await options.getByLabel("Token").fill("tapedeck_some");
  await options.getByRole("button", { name: "Save" }).click();
  await expect(options.getByRole("status")).toHaveText(en.pages.options.needsPermission);
  expect(await asked()).toEqual([{ origins: ["http://localhost/*"] }]);
  expect(await extension.readState()).toEqual(before);
});
