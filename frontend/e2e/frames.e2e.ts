import { once } from "node:events";
import { createServer } from "node:http";
import path from "node:path";
import type { Page } from "@playwright/test";
import sirv from "sirv";
import { Server } from "socket.io";
import { REPOSITORY_ROOT } from "../../backend/dev/repository.ts";
import { Home, expect, test } from "./home.ts";

const JOBS = 20;
/** Of each of the two, which take turns so that both meet the same machine. */
const MEASURED_MS = 1_500;
const TURNS = 3;
/** Of each job, as close as the server lets pushes come; the jobs' own are spread over it. */
const PUSH_INTERVAL_MS = 200;
const SLOWDOWN = 4;
/** They cost no frame on a machine with time to spare; this is what is left of them on one that others keep busy. */
const FRAMES_KEPT = 0.4;

// A recording takes the whole page down with every change, and would itself be what is measured.
test.use({ trace: "off" });

/** A job as the server pushes it. */
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

/** The pages of the product with a server whose twenty jobs move as fast as pushes may come. */
async function startBusyServer() {
  let progress = 0;
  const jobs = () => Array.from({ length: JOBS }, (_, index) => jobAt(index, progress));
  const answers: Record<string, () => unknown> = {
    "/api/conversions": jobs,
    "/api/device-info": () => ({ deviceId: "measured", authenticated: false, userId: null }),
    "/api/config": () => ({
      videoHosts: [],
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
    if (answer) response.setHeader("content-type", "application/json").end(JSON.stringify(answer()));
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
      pushes = setInterval(() => {
        const index = count++ % JOBS;
        if (index === 0) progress = Math.min(progress + 1, 99);
        sockets.emit("job", jobAt(index, progress));
      }, PUSH_INTERVAL_MS / JOBS);
    },
    stopPushes: () => clearInterval(pushes),
    async [Symbol.asyncDispose]() {
      clearInterval(pushes);
      await sockets.close();
    },
  };
}

/** How often the page draws, and the longest it does not. */
function countFrames(page: Page) {
  return page.evaluate(async (durationMs) => {
    const times = [await new Promise<number>(requestAnimationFrame)];
    while ((times.at(-1) ?? 0) - (times[0] ?? 0) < durationMs)
      times.push(await new Promise<number>(requestAnimationFrame));
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time));
    return { frames: gaps.length, longestMs: Math.max(...gaps), ms: gaps.reduce((sum, gap) => sum + gap, 0) };
  }, MEASURED_MS);
}

type Counted = Awaited<ReturnType<typeof countFrames>>;
const perSecond = (turns: readonly Counted[]) =>
  (turns.reduce((sum, { frames }) => sum + frames, 0) * 1_000) / turns.reduce((sum, { ms }) => sum + ms, 0);

test("twenty bars move together, and the page draws nearly as often as one where nothing moves", async ({ page }) => {
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
  const still: Counted[] = [];
  const moving: Counted[] = [];
  let layouts = 0;
  for (let turn = 0; turn < TURNS; turn += 1) {
    still.push(await countFrames(page));
    const before = await layoutCount();
    server.startPushes();
    moving.push(await countFrames(page));
    server.stopPushes();
    layouts += (await layoutCount()) - before;
  }
  const [stillRate, movingRate] = [perSecond(still), perSecond(moving)];
  const longestMs = Math.max(...moving.map((turn) => turn.longestMs));
  process.stdout.write(
    `${JOBS} bars at ${SLOWDOWN}x slowdown: ${movingRate.toFixed(1)} frames/s, longest gap ${longestMs.toFixed(0)} ms (nothing moving: ${stillRate.toFixed(1)}); ` +
      `${server.pushCount()} pushes, ${layouts} layouts\n`,
  );

  expect(await home.percent(home.rows.first())).toBeGreaterThan(0);
  expect(movingRate / stillRate).toBeGreaterThan(FRAMES_KEPT);
  // Whatever the machine: pushes are drawn together, not one by one.
  expect(layouts).toBeLessThan(server.pushCount() / 2);
});
