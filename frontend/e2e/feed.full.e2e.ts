/** The podcast feed of an account, made on the dashboard and read as an app does. */
import { expectAccessible } from "./axe.ts";
import { expect, goTo, test } from "./home.ts";
import { newUser, signIn } from "./users.ts";

test("a user on a phone follows the tapes in a podcast app, and turns the feed off", async ({
  home,
  page,
  request,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, newUser());
  await home.open();
  await home.convert(await home.sampleLink("rain"));
  await goTo(page, "/dashboard");
  const section = page.getByRole("region", { name: "My tapes as a podcast" });
  await expect(section).toContainText("No address yet");
  await section.getByRole("button", { name: "Make the address" }).click();
  const address = await section.getByRole("textbox").inputValue();
  await expectAccessible(page, "a new feed");
  await expect.poll(async () => (await request.get(address)).text()).toContain("<title>Rain on a tin roof</title>");
  await section.getByRole("button", { name: "Done" }).click();
  await section.getByRole("button", { name: "Turn off" }).click();
  await expectAccessible(page, "the question whether to turn the feed off");
  await section.getByRole("button", { name: "Turn off for good" }).click();
  await expect(section).toContainText("No address yet");
  expect((await request.get(address)).status()).toBe(404);
});
