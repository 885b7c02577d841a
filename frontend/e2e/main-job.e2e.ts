/** What the site is for, each once: these tests run after every change. The tests of all other cases are `*.full.e2e.ts`. */
import { readFile } from "node:fs/promises";
import type { Page, WebSocketRoute } from "@playwright/test";
import { parseBuffer } from "music-metadata";
import { JobList } from "../../common/api.ts";
import { CreateSelection } from "../../common/lists.ts";
import { expectAccessible, violationsOf } from "./axe.ts";
import {
  emptyQueue,
  expect,
  expectToastShown,
  Home,
  resize,
  scrollWidthOf,
  seenText,
  test,
  waitUntilLive,
} from "./home.ts";
import { CARDS, PaymentPage } from "./payment-page.ts";
import { PaymentStandIn } from "./payment-stand-in.ts";
import { probe } from "./probe.ts";
import { newUser, signIn, signInAsPro, signInAtProvider } from "./users.ts";

test.use({ reducedMotion: "no-preference" });

test("converts a sample link to a playable MP3 by keyboard and shows its progress", async ({ page, home }) => {
  await page.getByRole("button", { name: "Try a sample link" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menu")).toBeFocused();
  await page.keyboard.press("r");
  await expect(page.getByRole("menuitem", { name: /^rain/i })).toHaveAttribute("data-highlighted", "");
  await page.keyboard.press("Enter");
  await expect(home.field).toBeFocused();
  await expect(home.field).toHaveValue(/\/watch\/rain$/);
  await page.keyboard.press("Enter");
  await expect(home.rows).toHaveCount(1);
  await expect(home.field).toHaveValue("");
  await home.expectToastShown("Conversion Started Your video has been added to the queue!");

  const download = page.getByRole("link", { name: "Download Rain on a tin roof" });
  await expect(download).toBeVisible();
  await expect(home.rows).toContainText(/MP3 · 128 kbps · \d+\.\d MB/);
  await expect(home.rows).toContainText(/expires in (5\d minutes|1 hour)/);
  const arriving = page.waitForEvent("download");
  await download.press("Enter");
  const file = await arriving;
  expect(file.suggestedFilename()).toBe("Rain on a tin roof.mp3");
  const { streams } = await probe(file);
  expect(streams.map(({ codec_name }) => codec_name)).toContain("mp3");
  await home.expectNoLayoutShift();
});

test("cancels a job at once and removes it", async ({ page, home }) => {
  const job = await home.convert(await home.sampleLink("held"), "mp4");
  const row = home.rowOf(job);
  await expect(home.bar(row)).toBeVisible();
  await row.getByRole("button", { name: /^Cancel/ }).click();
  await expect(row).toContainText("Canceled");
  await home.expectToastShown("Conversion Canceled");
  await page.reload();
  await expect(row).toContainText("Canceled");
  await row.getByRole("button", { name: /^Remove/ }).click();
  await expect(row).toHaveCount(0);
  await expect(emptyQueue(page)).toBeVisible();
});

/** Lets the test hold back the server's pushes. */
async function holdablePushes(page: Page) {
  const held: (() => void)[] = [];
  let isHeld = false;
  await page.routeWebSocket(/\/socket\.io\//, (socket) => {
    socket.connectToServer().onMessage((message) => {
      if (isHeld) held.push(() => socket.send(message));
      else socket.send(message);
    });
  });
  return {
    hold: () => void (isHeld = true),
    releaseHeld() {
      isHeld = false;
      for (const send of held.splice(0)) send();
    },
  };
}

test("a failed job shows the reason and can be retried", async ({ page }) => {
  const pushes = await holdablePushes(page);
  const home = new Home(page);
  await home.open();
  const job = await home.convertUnseen(await home.sampleLink("live"));
  const row = home.rowOf(job);
  await expect(row).toHaveAttribute("data-status", "failed");
  await expect(row).toContainText("Failed");
  await expect(row).toContainText("This is a live stream.");
  pushes.hold();
  await row.getByRole("button", { name: /^Retry/ }).click();
  await expect(row).toHaveAttribute("data-status", /queued|pending|processing/);
  pushes.releaseHeld();
  await expect(row).toHaveAttribute("data-status", "failed");
});

/** Lets the test cut sockets and REST requests separately. */
async function controlNetwork(page: Page) {
  const open = new Set<WebSocketRoute>();
  const state = { areSocketsBlocked: false, polls: 0 };
  await page.routeWebSocket(/\/socket\.io\//, (socket) => {
    if (state.areSocketsBlocked) return void socket.close();
    socket.connectToServer();
    open.add(socket);
  });
  // Long polling, the socket's fallback without WebSockets.
  await page.route(/\/socket\.io\//, (route) => (state.areSocketsBlocked ? route.abort() : route.fallback()));
  page.on("request", (request) => {
    if (request.method() === "GET" && request.url().endsWith("/api/conversions")) state.polls++;
  });
  return {
    polls: () => state.polls,
    async blockSockets() {
      state.areSocketsBlocked = true;
      for (const socket of open) await socket.close();
      open.clear();
    },
    allowSockets() {
      state.areSocketsBlocked = false;
    },
  };
}

test("falls back to polls when the network breaks, without losing progress, then returns to pushes", async ({
  page,
  context,
}) => {
  const network = await controlNetwork(page);
  await page.clock.install();
  const home = new Home(page);
  const connected = page.waitForEvent("websocket");
  await home.open();
  await connected;
  const polled = seenText(page, "updated every 5 s").first();
  const link = await home.sampleLink("held");
  const job = await home.convert(link);
  const row = home.rowOf(job);
  await expect.poll(() => home.percent(row)).toBeGreaterThan(3);
  const pollsWhileConnected = network.polls();

  await test.step("the socket alone", async () => {
    await network.blockSockets();
    await expect(polled).toBeVisible();
    await expect.poll(network.polls).toBeGreaterThan(pollsWhileConnected);
    const before = await home.percent(row);
    await page.clock.fastForward(5_000);
    await expect.poll(() => home.percent(row)).toBeGreaterThan(before);
  });

  await test.step("everything", async () => {
    await context.setOffline(true);
    const before = await home.percent(row);
    await page.clock.fastForward(5_000);
    await expect(row).toBeVisible();
    expect(await home.percent(row)).toBeGreaterThanOrEqual(before);
    await expect(seenText(page, /^Offline$/)).toBeVisible();
  });

  await test.step("back", async () => {
    const before = await home.percent(row);
    network.allowSockets();
    await context.setOffline(false);
    await expect(page.locator("[data-network]")).toHaveCount(0);
    await expect.poll(() => home.percent(row)).toBeGreaterThan(before);
    await home.releaseHeld(link);
    const pollsWhenBack = network.polls();
    await expect(row.getByRole("link", { name: /^Download/ })).toBeVisible();
    // Longer than the polling interval, but short enough for the socket's heartbeat.
    await page.clock.fastForward(6_000);
    await page.getByRole("heading", { name: "Your queue" }).hover();
    expect(network.polls()).toBe(pollsWhenBack);
  });

  const history = await home.history(job);
  expect(history).toEqual(history.toSorted((a, b) => a - b));
});

test("follows a job by polls from start to end without a socket", async ({ page }) => {
  const network = await controlNetwork(page);
  await network.blockSockets();
  await page.clock.install();
  const home = new Home(page);
  await home.open();
  const job = await home.convert(await home.sampleLink("rain"));
  await expect(seenText(page, "updated every 5 s").first()).toBeVisible();
  await expect(async () => {
    await page.clock.fastForward(5_000);
    await expect(home.rowOf(job).getByRole("link", { name: /^Download/ })).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
});

test("offline requests are shown as waiting, can be withdrawn, and are sent once", async ({ home, page, context }) => {
  const waiting = page.locator("[data-kept]");
  const first = await home.sampleLink("rain");
  const second = await home.sampleLink("snow");
  await context.setOffline(true);
  await expect(page.locator("[data-network]").filter({ hasText: "Offline" })).toBeVisible();
  await home.field.fill(first);
  await home.field.press("Enter");
  await home.expectToastShown("Waiting for Connection");
  await expect(home.field).toHaveValue("");
  await home.field.fill(second);
  await home.field.press("Enter");
  await expect(waiting).toHaveCount(2);
  await expect(waiting.first()).toContainText(second);
  await expect(waiting.first()).toContainText("Waiting for connection");
  await page.getByRole("button", { name: `Take back ${second}` }).click();
  await expect(waiting).toHaveCount(1);
  await context.setOffline(false);
  await expect(waiting).toHaveCount(0);
  await expect(home.rows).toHaveCount(1);
  const atServer = await page.request.get("/api/conversions");
  expect(JobList.parse(await atServer.json())).toHaveLength(1);
});

test.describe("with reduced motion", () => {
  // A smooth scroll to the focused field may still go on when Enter starts the job, and would move the job out of view.
  test.use({ contextOptions: { reducedMotion: "reduce" } });

  test("a part is chosen by keyboard, by fields and by handles, and the sizes are those of the part", async ({
    page,
    home,
  }) => {
    const panel = page.getByRole("group", { name: "Choices for this video" });
    const part = panel.getByRole("group", { name: "A part of it" });
    await home.field.fill(await home.sampleLink("rain"));
    await page.getByRole("button", { name: "Choices" }).click();
    const [start, end] = [part.getByLabel("Start of the part"), part.getByLabel("End of the part")];
    await expect(end).toHaveAttribute("aria-valuetext", "0:30");
    await start.focus();
    for (let n = 0; n < 5; n += 1) await page.keyboard.press("ArrowRight");
    await expect(start).toHaveAttribute("aria-valuetext", "0:05");
    await expect(part.getByLabel("Start", { exact: true })).toHaveValue("0:05");
    await part.getByLabel("End", { exact: true }).fill("15");
    await page.keyboard.press("Enter");
    await expect(part.locator("[data-chosen-length]")).toHaveText("0:10 chosen");
    await expect(page.getByRole("group", { name: "Preview" }).locator("[data-estimate=mp3]")).toContainText(
      "about 0.2 MB",
    );
    await expect.poll(() => violationsOf(page)).toEqual([]);
    await home.field.press("Enter");
    const link = page.getByRole("link", { name: /^Download/ });
    await expect(link).toBeVisible();
    const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
    expect(download.suggestedFilename()).toBe("Rain on a tin roof (0.05-0.15).mp3");
    const { format } = await parseBuffer(await readFile(await download.path()), undefined, { duration: true });
    expect(Math.abs((format.duration ?? 0) - 10)).toBeLessThan(0.1);
  });
});

test("starts valid lines, lists rejected ones with reasons, folds the batch and downloads it as one archive", async ({
  page,
}) => {
  const home = await signInAsPro(page, newUser());
  const lines = page.getByLabel("Video links, one a line");
  await page.getByText("Batch", { exact: true }).click();
  const rain = await home.sampleLink("rain");
  const snow = await home.sampleLink("rain");
  await lines.fill([rain, "not a link", snow, "https://evil.example/?youtu.be", rain].join("\n"));
  await expect(seenText(page, "3 found URLs out of 20")).toBeVisible();
  await page.getByRole("button", { name: "Convert all" }).click();
  await home.expectToastShown("Batch Started Processing 2 videos");
  const refused = page.getByRole("region", { name: "Refused links" });
  await expect(refused.getByRole("listitem")).toHaveCount(3);
  await expect(refused).toContainText("Line 2: not a linkPlease enter a valid YouTube URL");
  await expect(refused).toContainText(/Line 4: https:\/\/evil\.example/);
  await expect(refused).toContainText("Line 5: ");

  const batch = page.locator("[data-batch]");
  const fold = batch.getByRole("button", { name: "Batch of 2 videos" });
  await expect(fold).toHaveAttribute("aria-expanded", "false");
  await expect(home.rows).toHaveCount(0);
  await fold.click();
  await expect(fold).toHaveAttribute("aria-expanded", "true");
  await expect(batch.locator("[data-job]")).toHaveCount(2);
  await expect(batch).toContainText("2 done");
  await expect(home.toast).toBeHidden();
  await expect.poll(() => violationsOf(page)).toEqual([]);
  await fold.click();
  await expect(home.rows).toHaveCount(0);

  const arriving = page.waitForEvent("download");
  await batch.getByRole("link", { name: "Download all" }).click();
  const archive = await readFile(await (await arriving).path());
  expect(archive.subarray(0, 4).toString("latin1")).toBe("PK\u0003\u0004");
  expect(archive.includes("Rain on a tin roof.mp3")).toBe(true);

  await refused.getByRole("button", { name: "Edit them" }).click();
  await expect(lines).toHaveValue(/not a link\n/);
});

test("Pro: three are chosen with Shift, and are one row with the list's title", async ({ page }) => {
  const home = await signInAsPro(page, newUser());
  const bar = page.locator("[data-convert-bar]");
  const list = page.getByRole("listbox", { name: "Videos of the list" });
  const option = (name: RegExp) => list.getByRole("option", { name });
  const chosen = list.locator("[aria-selected=true]");
  await home.field.fill(await home.sampleLink("list-60"));
  await option(/^Rain, part 2 /).click();
  await option(/^Rain, part 4 /).click({ modifiers: ["Shift"] });
  await expect(chosen).toHaveCount(3);
  await expect(bar).toContainText("3 of 60 chosen");
  await expect(bar).toContainText("3 videos, as one batch.");
  // The keys begin where the last click was.
  await page.keyboard.press("Shift+ArrowDown");
  await expect(chosen).toHaveCount(4);
  await page.keyboard.press("Shift+ArrowUp");
  await expect(chosen).toHaveCount(3);
  await expect.poll(() => violationsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Choices" }).click();
  await page.getByRole("radio", { name: /^FLAC/ }).check();
  await page.getByRole("tab", { name: "Cut" }).click();
  await page.getByRole("combobox", { name: "Sponsored segments" }).selectOption("mark");
  await expect.poll(() => violationsOf(page)).toEqual([]);
  const created = page.waitForRequest(
    (request) => request.method() === "POST" && request.url().endsWith("/api/selections"),
  );
  await page.getByRole("button", { name: "Convert", exact: true }).click();
  const body = CreateSelection.parse((await created).postDataJSON());
  expect(body).toMatchObject({ title: "Sixty times rain", format: "flac", choices: { sponsored: "mark" } });
  expect(body.urls.map((url) => URL.parse(url)?.search)).toEqual(["?part=2", "?part=3", "?part=4"]);
  await home.expectToastShown("Processing 3 videos");
  await expect(home.field).toHaveValue("");
  const batch = page.locator("[data-batch]");
  await expect(batch.getByRole("button", { name: "Sixty times rain" })).toHaveAttribute("aria-expanded", "false");
  await expect(batch).toContainText("3 of 3 ready");
});

test("opens the dashboard after the sign-in, and the home page after the sign-out", async ({ page }) => {
  const ada = newUser();
  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole("heading", { name: "Pro User Login" })).toBeVisible();
  await expect(page.getByLabel("Password")).toBeDisabled();
  await expect(page.getByRole("link", { name: "Back to Home" })).toHaveAttribute("href", "/");
  // A 204 response keeps the current page, so that the test can read it.
  await page.route("**/api/login", (route) => route.fulfill({ status: 204 }));
  await page.getByRole("button", { name: "Sign in as Pro User" }).click();
  await expect(page.getByRole("button", { name: "Signing in..." })).toBeDisabled();
  await page.unroute("**/api/login");
  await page.reload();
  await waitUntilLive(page);
  await page.getByRole("button", { name: "Sign in as Pro User" }).click();
  await signInAtProvider(page, ada);

  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole("heading", { name: "Welcome, Ada" })).toBeVisible();
  await expect(page.getByText("Free User · Ada")).toBeVisible();
  await expect(page.getByRole("article", { name: "Total Conversions" })).toContainText("0");
  await expect(page.getByRole("article", { name: "Data Used" })).toContainText("0.0 MB");
  await expect(page.getByRole("article", { name: "Account Status" })).toContainText("Free");
  await expect(page.getByText("No conversions yet")).toBeVisible();
  await expect(page.getByRole("link", { name: "Start Converting" })).toBeVisible();

  await page.getByRole("main").getByRole("link", { name: "Logout" }).click();
  await expect(page.getByRole("link", { name: "Pro Login" }).first()).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
  expect(await page.evaluate(() => sessionStorage.getItem("tapedeck.after-sign-in"))).toBeNull();
});

test("declined cards show the provider's message, and another card can pay", async ({ page }) => {
  const standIn = await PaymentStandIn.open();
  const ada = newUser();
  await signIn(page, ada);
  const paymentPage = new PaymentPage(page);
  await paymentPage.open();
  for (const [number, text] of [
    [CARDS.declined, "Your card was declined."],
    [CARDS.insufficientFunds, "Your card has insufficient funds."],
    [CARDS.expired, "Your card has expired."],
  ] as const) {
    await paymentPage.pay(number);
    await expectToastShown(page, `Payment Failed ${text}`);
    await expect(page.locator("[data-payment-failure]")).toHaveText(`Payment Failed ${text}`);
    await expect(page).toHaveURL(/\/subscribe/);
    await expect(page.getByText("Free User · Ada")).toBeVisible();
  }
  // The message goes when the next try begins, before it has an answer.
  await page.route("**/browser/confirm", async (route) => {
    await expect(seenText(page, "Payment Failed")).toHaveCount(0);
    await route.continue();
  });
  await paymentPage.pay();
  await paymentPage.expectPro();
  expect(await standIn.payments(ada)).toHaveLength(1);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, reducedMotion: "reduce" });

  test("the page fits every screen, is accessible with every kind of row, and has no layout shifts", async ({
    page,
    home,
  }) => {
    const failed = await home.convertUnseen(await home.sampleLink("three-hours"));
    // Its row grows by its sentence: before the page is scrolled, so that nothing in view moves.
    await expect(home.rowOf(failed)).toHaveAttribute("data-status", "failed");
    const done = await home.convert(await home.sampleLink("rain"));
    const working = await home.convert(await home.sampleLink("held"));
    await expect(home.rowOf(done)).toHaveAttribute("data-status", "completed");
    await expect(home.bar(home.rowOf(working))).toBeVisible();
    // Also shows an error toast.
    await home.field.press("Enter");
    await home.expectToastShown("Invalid URL");
    await expect.poll(() => scrollWidthOf(page)).toBe(390);
    await home.expectNoLayoutShift(0.01);
    await expectAccessible(page, "phone");
    await resize(page, { width: 1280, height: 800 });
    await expect.poll(() => scrollWidthOf(page)).toBe(1280);
    await expectAccessible(page, "laptop");
  });
});
