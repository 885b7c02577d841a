import { expect, stopClock, test } from "./home.ts";

test("shows a problem at the field without a request, and clears it at the next key", async ({ page, home }) => {
  const requests: string[] = [];
  page.on("request", (request) => request.method() === "POST" && requests.push(request.url()));
  // No toast closes by itself.
  await stopClock(page);
  await page.getByRole("button", { name: "Convert", exact: true }).click();
  await home.expectToastShown("Invalid URL Please enter a YouTube URL");
  await expect(home.field).toHaveAttribute("aria-invalid", "true");
  await expect(home.field).toHaveAccessibleDescription("Please enter a YouTube URL");
  await expect(home.field).toBeFocused();

  await home.field.fill("https://example.com/watch");
  await expect(home.field).toHaveAttribute("aria-invalid", "false");
  await home.field.press("Enter");
  await home.expectToastShown("Please enter a valid YouTube URL");
  await expect(home.toast).toHaveCount(1);
  await expect(home.field).toHaveAccessibleDescription("Please enter a valid YouTube URL");
  await home.field.press("a");
  await expect(home.field).toHaveAttribute("aria-invalid", "false");
  expect(requests).toEqual([]);
});

test("keeps a rejected link in the field and shows the server's reason, or its own text without one", async ({
  page,
  home,
}) => {
  const hostile = "https://evil.example/?youtu.be";
  await home.field.fill(hostile);
  await home.field.press("Enter");
  await home.expectToastShown("Conversion Failed This link leads to a place Tapedeck does not open.");
  await expect(home.field).toHaveValue(hostile);
  await expect(home.rows).toHaveCount(0);

  await page.route("**/api/conversions", (route) =>
    route.request().method() === "POST" ? route.fulfill({ status: 500, body: "" }) : route.fallback(),
  );
  await home.field.fill(await home.sampleLink("rain"));
  await home.field.press("Enter");
  await home.expectToastShown("Failed to start conversion");
});

test("cancels a request in progress, and removes the job that the server has made of it", async ({ page, home }) => {
  const arrived = Promise.withResolvers<void>();
  let posts = 0;
  // The first one is not answered: it ends when the page aborts it.
  await page.route("**/api/conversions", async (route) => {
    if (route.request().method() !== "POST" || posts++ > 0) return route.fallback();
    await route.fetch();
    arrived.resolve();
  });
  // A video that exists: the preview of another one may come first, and refuse it.
  await home.field.fill(await home.sampleLink("rain"));
  const aborted = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/api/conversions"));
  await home.field.press("Enter");
  await arrived.promise;
  const removed = page.waitForResponse((answer) => answer.request().method() === "DELETE" && answer.status() === 204);
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await aborted;
  await home.expectToastShown("Conversion Canceled URL conversion has been canceled");
  await expect(home.field).toHaveValue("");
  await expect(page.getByRole("button", { name: "Convert", exact: true })).toBeEnabled();
  await removed;
  expect(await (await page.request.get("/api/conversions")).json()).toEqual([]);
});

test("the Paste button fills and focuses the field; the hint shows the quality of the chosen format", async ({
  page,
  home,
  context,
}) => {
  await expect(home.field).toHaveAccessibleDescription("128 kbps · Pro makes it 320");
  await page.getByText("MP4", { exact: true }).click();
  await expect(home.field).toHaveAccessibleDescription("480p · Pro makes it 1080p");
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate(() => navigator.clipboard.writeText("https://youtu.be/aqz-KE-bpKQ"));
  await page.getByRole("button", { name: "Paste" }).click();
  await expect(home.field).toHaveValue("https://youtu.be/aqz-KE-bpKQ");
  await expect(home.field).toBeFocused();
});
