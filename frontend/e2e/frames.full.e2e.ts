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
/** Duration of each measurement; idle and busy page alternate, so that both have the same machine load. */
const MEASURED_MS = 1_500;
const TURNS = 3;
/** Interval of each job's pushes, the shortest that the server allows; the jobs are spread over it. */
const PUSH_INTERVAL_MS = 200;
const SLOWDOWN = 4;
/** Of a push, which moves one bar: its row changes by so many places at most, whatever the machine does beside it. */
const CHANGES_PER_PUSH = 8;
/** Of a row that comes into view, and another that leaves it. */
const CHANGES_PER_ROW = 20;

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
    } else if (request.url === "/api/lists")
      void json(request).then((body) => send(listPage(ListRequest.required().parse(body))));
    else pages(request, response);
  });
  const sockets = new Server(http);
  sockets.on("connection", (socket) => socket.emit("snapshot", { asOf: new Date().toISOString(), jobs: jobs() }));
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const address = http.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  let pushes: ReturnType<typeof setInterval> | undefined;
  let count = 0;
  return {
    origin: `http://localhost:${address.port}`,
    pushCount: () => count,
    startPushes() {
      const startMs = performance.now();
      let sent = 0;
      pushes = setInterval(() => {
        // All that are due: on a busy machine an interval misses turns.
        const due = Math.floor(((performance.now() - startMs) * JOBS) / PUSH_INTERVAL_MS);
        for (; sent < due; sent += 1) {
          const index = count++ % JOBS;
          if (index === 0) progress = Math.min(progress + 1, 99);
          sockets.emit("job", jobAt(index, progress));
        }
      }, PUSH_INTERVAL_MS / JOBS);
    },
    stopPushes: () => clearInterval(pushes),
    async [Symbol.asyncDispose]() {
      clearInterval(pushes);
      await sockets.close();
    },
  };
}

/**
 * Measures the page's frames and its longest gap between two frames.
 * @param scrolledPixels by which a list, if there is one, is scrolled in each frame
 */
function countFrames(page: Page, scrolledPixels = 0) {
  return page.evaluate(
    async ([durationMs = 0, pixels = 0]) => {
      const list = document.querySelector("[role=listbox]");
      const times = [await new Promise<number>(requestAnimationFrame)];
      while ((times.at(-1) ?? 0) - (times[0] ?? 0) < durationMs) {
        if (pixels !== 0) list?.scrollBy({ top: pixels, behavior: "instant" });
        times.push(await new Promise<number>(requestAnimationFrame));
      }
      const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time));
      return { frames: gaps.length, longestMs: Math.max(...gaps), ms: gaps.reduce((sum, gap) => sum + gap, 0) };
    },
    [MEASURED_MS, scrolledPixels],
  );
}

/** Counts what changes in the page from now on. @returns a function that gives the number, and where it changed */
async function watchChanges(page: Page) {
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
  return () => watch.evaluate(({ count }) => count);
}

type Counted = Awaited<ReturnType<typeof countFrames>>;
const perSecond = (turns: readonly Counted[]) =>
  (turns.reduce((sum, { frames }) => sum + frames, 0) * 1_000) / turns.reduce((sum, { ms }) => sum + ms, 0);

test("twenty moving progress bars change few places of the page", async ({ page }) => {
  await using server = await startBusyServer();
  const home = new Home(page);
  await page.goto(server.origin);
  await page.locator("[data-batch]").getByRole("button", { name: "Batch of 20 videos" }).click();
  await expect(home.rows).toHaveCount(JOBS);

  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  await session.send("Performance.enable");
  const layoutCount = async () =>
    (await session.send("Performance.getMetrics")).metrics.find(({ name }) => name === "LayoutCount")?.value ?? NaN;
  const idle: Counted[] = [];
  const busy: Counted[] = [];
  let layouts = 0;
  let changes = 0;
  const changeCount = await watchChanges(page);
  for (let turn = 0; turn < TURNS; turn += 1) {
    idle.push(await countFrames(page));
    const before = await layoutCount();
    const unchanged = await changeCount();
    server.startPushes();
    busy.push(await countFrames(page));
    server.stopPushes();
    layouts += (await layoutCount()) - before;
    changes += (await changeCount()) - unchanged;
  }
  const idleRate = perSecond(idle);
  const busyRate = perSecond(busy);
  const longestMs = Math.max(...busy.map((turn) => turn.longestMs));
  process.stdout.write(
    `${JOBS} bars at ${SLOWDOWN}x slowdown: ${busyRate.toFixed(1)} frames/s, ` +
      `longest gap ${longestMs.toFixed(0)} ms (nothing moving: ${idleRate.toFixed(1)}); ` +
      `${server.pushCount()} pushes, ${layouts} layouts, ${changes} changes\n`,
  );

  expect(await home.percent(home.rows.first())).toBeGreaterThan(0);
  expect(changes / server.pushCount()).toBeLessThan(CHANGES_PER_PUSH);
  // On every machine several pushes are rendered together.
  expect(layouts).toBeLessThan(server.pushCount() / 2);
});

/** About a hundred rows in a second at 60 frames per second: a fast wheel. */
const SCROLLED_PIXELS = 90;

test("a list of 5,000 entries changes few places of the page while it is scrolled", async ({ page }) => {
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

  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  const idle: Counted[] = [];
  const scrolled: Counted[] = [];
  const changeCount = await watchChanges(page);
  for (let turn = 0; turn < TURNS; turn += 1) {
    idle.push(await countFrames(page));
    scrolled.push(await countFrames(page, SCROLLED_PIXELS));
  }
  const idleRate = perSecond(idle);
  const scrolledRate = perSecond(scrolled);
  const longestMs = Math.max(...scrolled.map((turn) => turn.longestMs));
  process.stdout.write(
    `${MAX_LIST_ENTRIES} entries scrolled at ${SLOWDOWN}x slowdown: ${scrolledRate.toFixed(1)} frames/s, ` +
      `longest gap ${longestMs.toFixed(0)} ms (nothing moving: ${idleRate.toFixed(1)}); ${await changeCount()} changes\n`,
  );

  const { scrollTop, rowHeight } = await list.evaluate((box) => ({
    scrollTop: box.scrollTop,
    rowHeight: box.querySelector<HTMLElement>("[role=option]")?.offsetHeight ?? NaN,
  }));
  expect(scrollTop).toBeGreaterThan(SCROLLED_PIXELS);
  // The rows of the place where the list is now are in view, and the page has no more than it needs.
  const firstWhole = Math.ceil(scrollTop / rowHeight) + 1;
  await expect(list.locator(`[role=option][aria-posinset="${firstWhole}"]`)).toBeInViewport();
  expect(await list.getByRole("option").count()).toBeLessThan(40);
  expect((await changeCount()) / (scrollTop / rowHeight)).toBeLessThan(CHANGES_PER_ROW);
});
