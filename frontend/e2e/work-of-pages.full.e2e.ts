/** How much work a page does where much moves: counted, because its time tells more about the machine. */
import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import path from "node:path";
import type { Page } from "@playwright/test";
import sirv from "sirv";
import { Server } from "socket.io";
import { REPOSITORY_ROOT } from "../../backend/dev/repository.ts";
import { LIST_PAGE_SIZE, ListRequest, MAX_LIST_ENTRIES } from "../../common/lists.ts";
import type { ListPage } from "../../common/lists.ts";
import { Home, expect, test } from "./home.ts";

const JOBS = 20;
/** Of all jobs together, at the highest rate that the server allows: each job every 200 ms. */
const PUSHES = 400;
const PUSH_INTERVAL_MS = 200;
/**
 * Of a push, which moves one bar. Not its time, which tells more about the machine: the functions that it calls, and the
 * places of the page that it changes. Seen, the same in each run: 2,011 and 3.2.
 */
const CALLS_PER_PUSH = 3_000;
const CHANGES_PER_PUSH = 5;
/** Of a row that comes into view, and another that leaves it. Seen: 1,385 and 8.6. */
const CALLS_PER_ROW = 2_000;
const CHANGES_PER_ROW = 12;

// A trace records the whole page at every change, which would distort the measurement.
test.use({ trace: "off", reducedMotion: "no-preference" });

/** @returns a job in the wire format */
function jobAt(index: number, progress: number) {
  const fields = { title: `Clip ${index}`, format: "mp3", quality: "320kbps", attempt: 1, batchId: "many" };
  const state = {
    status: "processing",
    stage: "download",
    progress,
    bytesPerSecond: 1_000_000 + progress,
    etaSeconds: 100 - progress,
  };
  const createdAt = new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString();
  return { ...fields, ...state, id: `clip-${index}`, createdAt, updatedAt: new Date().toISOString() };
}

const HOST = "videos.example";

/** @returns a page of the longest list that is shown */
function listPage({ youtubeUrl, offset }: { readonly youtubeUrl: string; readonly offset: number }): ListPage {
  const end = Math.min(MAX_LIST_ENTRIES, offset + (offset === 0 ? LIST_PAGE_SIZE : 1_200));
  return {
    link: youtubeUrl,
    title: "A long list",
    total: MAX_LIST_ENTRIES,
    isCut: false,
    offset,
    entries: Array.from({ length: end - offset }, (_, index) => ({
      link: `https://${HOST}/watch/${offset + index + 1}`,
      title: `Entry ${offset + index + 1} of a list that is longer than anybody reads`,
      durationSeconds: 60 + index,
    })),
    next: end < MAX_LIST_ENTRIES ? end : null,
  };
}

/** Starts a server with the built pages, a long list, and twenty jobs that push at the highest rate. */
async function startBusyServer() {
  let progress = 0;
  const jobs = () => Array.from({ length: JOBS }, (_, index) => jobAt(index, progress));
  const answers: Record<string, () => unknown> = {
    "/api/conversions": jobs,
    "/api/device-info": () => ({ deviceId: "measured", authenticated: false, userId: null }),
    "/api/site-status": () => ({ failing: [] }),
    "/api/config": () => ({
      videoHosts: [HOST],
      tier: "pro",
      signInAvailable: true,
      paymentAvailable: false,
      stripePublishableKey: null,
      stripeScriptUrl: null,
      sampleLinks: [],
      usualSeconds: null,
    }),
  };
  const pages = sirv(path.join(REPOSITORY_ROOT, "frontend/dist"), { single: true });
  const http = createServer((request, response) => {
    const answer = answers[request.url ?? ""];
    const send = (value: unknown): unknown =>
      response.setHeader("content-type", "application/json").end(JSON.stringify(value));
    if (answer) send(answer());
    else if (request.url === "/api/preview") {
      response.statusCode = 422;
      send({ code: "playlist", message: "A list." });
    } else if (request.url === "/api/lists") void json(request).then((body) => send(listPage(ListRequest.parse(body))));
    else pages(request, response);
  });
  const sockets = new Server(http);
  sockets.on("connection", (socket) => socket.emit("snapshot", { asOf: new Date().toISOString(), jobs: jobs() }));
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const address = http.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  let pushes: ReturnType<typeof setInterval> | undefined;
  return {
    origin: `http://localhost:${address.port}`,
    /** Moves all bars to 1 %, then 2 %, and so on, a push at a time. */
    startPushes() {
      let count = 0;
      pushes = setInterval(() => {
        const index = count++ % JOBS;
        if (index === 0) progress += 1;
        sockets.emit("job", jobAt(index, progress));
        if (count === PUSHES) clearInterval(pushes);
      }, PUSH_INTERVAL_MS / JOBS);
    },
    async [Symbol.asyncDispose]() {
      clearInterval(pushes);
      await sockets.close();
    },
  };
}

/** What the page does from now on. @returns a function that tells how much it was */
async function watchWork(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Profiler.enable");
  await session.send("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  const watch = await page.evaluateHandle(() => {
    const changes = { count: 0 };
    new MutationObserver((records) => (changes.count += records.length)).observe(document.body, {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    });
    return changes;
  });
  await session.send("Profiler.takePreciseCoverage");
  return async () => {
    const { result } = await session.send("Profiler.takePreciseCoverage");
    const counts = result.flatMap(({ functions }) => functions.map(({ ranges: [range] }) => range?.count ?? 0));
    return {
      calls: counts.reduce((sum, count) => sum + count, 0),
      changes: await watch.evaluate(({ count }) => count),
    };
  };
}

test("a push calls few functions and changes few places, also among twenty moving bars", async ({ page }) => {
  await using server = await startBusyServer();
  const home = new Home(page);
  await page.goto(server.origin);
  await page.locator("[data-batch]").getByRole("button", { name: "Batch of 20 videos" }).click();
  await expect(home.rows).toHaveCount(JOBS);
  const workDone = await watchWork(page);
  server.startPushes();
  await expect.poll(() => home.percent(home.rows.last())).toBe(PUSHES / JOBS);
  const { calls, changes } = await workDone();
  process.stdout.write(`${calls / PUSHES} calls and ${changes / PUSHES} changes a push\n`);
  expect(calls / PUSHES).toBeLessThan(CALLS_PER_PUSH);
  expect(changes / PUSHES).toBeLessThan(CHANGES_PER_PUSH);
});

/** About a hundred rows in a second at 60 frames per second: a fast wheel. */
const SCROLLED_PIXELS = 90;
const SCROLLS = 100;

test("a list of 5,000 entries does little for each row while it is scrolled", async ({ page }) => {
  await using server = await startBusyServer();
  const home = new Home(page);
  await page.goto(server.origin);
  await home.field.fill(`https://${HOST}/list`);
  const list = page.getByRole("listbox");
  await expect(list.getByRole("option").first()).toHaveAttribute("aria-setsize", String(MAX_LIST_ENTRIES));
  // All pages of the list are there.
  await expect
    .poll(() => list.evaluate((box) => box.scrollHeight / (box.querySelector("[role=option]")?.clientHeight ?? NaN)))
    .toBeGreaterThan(MAX_LIST_ENTRIES - 100);

  const workDone = await watchWork(page);
  await list.evaluate(
    async (box, [times = 0, top]) => {
      for (let scroll = 0; scroll < times; scroll += 1) {
        box.scrollBy({ top, behavior: "instant" });
        await new Promise(requestAnimationFrame);
      }
    },
    [SCROLLS, SCROLLED_PIXELS],
  );
  const { scrollTop, rowHeight } = await list.evaluate((box) => ({
    scrollTop: box.scrollTop,
    rowHeight: box.querySelector<HTMLElement>("[role=option]")?.offsetHeight ?? NaN,
  }));
  expect(scrollTop).toBe(SCROLLS * SCROLLED_PIXELS);
  // The rows of the place where the list is now are in view, and the page has no more than it needs.
  const firstWhole = Math.ceil(scrollTop / rowHeight) + 1;
  await expect(list.locator(`[role=option][aria-posinset="${firstWhole}"]`)).toBeInViewport();
  expect(await list.getByRole("option").count()).toBeLessThan(40);
  const { calls, changes } = await workDone();
  const rows = scrollTop / rowHeight;
  process.stdout.write(`${calls / rows} calls and ${changes / rows} changes a row\n`);
  expect(calls / rows).toBeLessThan(CALLS_PER_ROW);
  expect(changes / rows).toBeLessThan(CHANGES_PER_ROW);
});
