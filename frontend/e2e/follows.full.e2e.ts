/** A list is followed: its new videos come by themselves, to the queue, the page of what is followed and the feed. */
import { CreatedFeed } from "../../common/feed-calls.ts";
import { expectAccessible } from "./axe.ts";
import { expect, resize, test } from "./home.ts";
import { lookAtFollowed, serverOrigin } from "./server.ts";
import { newUser, signInAsPro } from "./users.ts";

test("Pro: new videos of a followed list come by themselves, to the queue and the feed; it is paused and stopped", async ({
  page,
  request,
}) => {
  const user = newUser();
  const home = await signInAsPro(page, user);
  await resize(page, { width: 390, height: 844 });
  const made = await page.request.post("/api/feed", { headers: { origin: serverOrigin() }, data: {} });
  const { url: feed } = CreatedFeed.parse(await made.json());

  const list = await home.sampleLink("list-renewed");
  await home.field.fill(list);
  await page.getByRole("button", { name: "Follow", exact: true }).click();
  await page.getByRole("link", { name: "See what you follow" }).click();
  const row = page.locator("[data-follow]");
  await expect(row).toContainText("A tape that is continued");
  await expect(row).toContainText("Nothing new yet");

  await home.releaseHeld(list);
  await lookAtFollowed(user.email);
  const came = row.getByRole("listitem");
  await expect(came.filter({ hasText: "Rain that is gone" })).toContainText("There is no video at this link any more.");
  const download = came.getByRole("link", { name: "Download Rain of today" });
  const downloading = page.waitForEvent("download");
  await download.click();
  expect((await downloading).suggestedFilename()).toBe("Rain on a tin roof.mp3");
  await expectAccessible(page, "what came");
  await came.getByRole("link", { name: "Rain of today", exact: true }).click();
  const rowInQueue = home.row("Rain on a tin roof");
  await expect(rowInQueue).toBeFocused();
  await expect(rowInQueue).toBeInViewport();
  await page.goBack();
  await expect.poll(async () => (await request.get(feed)).text()).toContain("<title>Rain on a tin roof</title>");

  await row.getByRole("button", { name: /^Pause/ }).click();
  await expect(row).toContainText("Paused");
  await row.getByRole("button", { name: /^Resume/ }).click();
  await expect(row).toContainText(/Next look/);
  await row.getByRole("button", { name: /^Stop following/ }).click();
  await row.getByRole("button", { name: "Stop following", exact: true }).click();
  await expect(page.getByText("You follow nothing yet.")).toBeVisible();
  // What came stays.
  await home.open();
  await expect(rowInQueue).toHaveAttribute("data-status", "completed");
});
