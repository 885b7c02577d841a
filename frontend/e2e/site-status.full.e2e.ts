/** The line on the home page that says that a video site fails for most visitors. */
import type { Page, WebSocketRoute } from "@playwright/test";
import { LANGUAGES } from "../src/texts/languages.ts";
import { expect, Home, test } from "./home.ts";

const PHONE = { width: 390, height: 844 };
const REFUSING = { failing: [{ site: "youtube", reason: "refusing" }] };
const CHANGED = { failing: [{ site: "youtube", reason: "changed" }] };
const NONE = { failing: [] };
const REFUSING_TEXT = "YouTube is refusing us at the moment; jobs wait and start by themselves.";

/** Lets the test add pushes of the server to the page's socket, and cut it. */
async function controlSocket(page: Page) {
  const open = new Set<WebSocketRoute>();
  await page.routeWebSocket(/\/socket\.io\//, (socket) => {
    socket.connectToServer();
    open.add(socket);
  });
  return {
    // "42" is an event in the protocol of Socket.IO.
    push: (event: string, message: object) =>
      open.forEach((socket) => socket.send(`42${JSON.stringify([event, message])}`)),
    async cut() {
      const cut = [...open];
      open.clear();
      for (const socket of cut) await socket.close();
    },
  };
}

/** Resolves when a new socket has received its first state. */
async function socketConnected(page: Page): Promise<void> {
  const socket = await page.waitForEvent("websocket");
  await socket.waitForEvent("framereceived", ({ payload }) => String(payload).includes('"sites"'));
}

async function openHome(page: Page): Promise<Home> {
  const connected = socketConnected(page);
  const home = new Home(page);
  await home.open();
  await connected;
  return home;
}

test.describe("on a phone", () => {
  test.use({ viewport: PHONE });

  test("appears and disappears live without moving the page, and is right after a reconnection", async ({ page }) => {
    const socket = await controlSocket(page);
    const home = await openHome(page);
    const line = page.locator("[data-failing]");
    await expect(line).toHaveCount(0);

    socket.push("sites", REFUSING);
    await expect(line).toHaveText(REFUSING_TEXT);
    await expect(page.locator("[data-announcer]")).toHaveText(REFUSING_TEXT);
    socket.push("sites", CHANGED);
    await expect(line).toHaveText("YouTube has changed, and most links fail until we have caught up. We know of it.");
    socket.push("sites", { failing: [{ site: "youtube", reason: "of-a-newer-server" }] });
    await expect(line).toHaveCount(0);
    socket.push("sites", REFUSING);
    await expect(line).toHaveText(REFUSING_TEXT);
    await home.expectNoLayoutShift();

    // The server says that every site works.
    const connected = socketConnected(page);
    await socket.cut();
    await connected;
    await expect(line).toHaveCount(0);
    socket.push("sites", REFUSING);
    await expect(line).toHaveText(REFUSING_TEXT);
    socket.push("sites", NONE);
    await expect(line).toHaveCount(0);
    await home.expectNoLayoutShift();
  });
});

test("appears by polls while the socket is lost", async ({ page }) => {
  await page.routeWebSocket(/\/socket\.io\//, (socket) => void socket.close());
  await page.route(/\/socket\.io\//, (route) => route.abort());
  await page.route("**/api/site-status", (route) => route.fulfill({ json: REFUSING }));
  await new Home(page).open();
  await expect(page.locator("[data-failing]")).toHaveText(REFUSING_TEXT);
});

test.describe("on a narrow phone", () => {
  test.use({ viewport: { width: 320, height: 640 } });

  test("needs no more than the reserved space in any language", async ({ page, context }) => {
    // Then the page has its fonts at the first paint, also on a busy machine: those of the system are wider.
    const first = await context.newPage();
    await first.goto("/");
    await first.evaluate(() => document.fonts.ready);
    await first.close();
    const socket = await controlSocket(page);
    await openHome(page);
    const field = page.locator("input[name=link]");
    for (const [code, { name }] of Object.entries(LANGUAGES)) {
      socket.push("sites", NONE);
      await page.locator("footer select").selectOption({ label: name });
      await expect(page.locator("html")).toHaveAttribute("lang", code);
      await expect(page.locator("[data-failing]")).toHaveCount(0);
      const topBefore = await field.evaluate((element) => element.getBoundingClientRect().top + window.scrollY);
      for (const status of [REFUSING, CHANGED]) {
        socket.push("sites", status);
        await expect(page.locator(`[data-failing=${status.failing[0]?.reason}]`)).toHaveCount(1);
        const top = await field.evaluate((element) => element.getBoundingClientRect().top + window.scrollY);
        expect(top, `${name} ${status.failing[0]?.reason}`).toBe(topBefore);
      }
    }
  });
});
