import { once } from "node:events";
import { createServer } from "node:http";
import path from "node:path";
import type { Page } from "@playwright/test";
import sirv from "sirv";
import { Server } from "socket.io";
import { REPOSITORY_ROOT } from "../../backend/dev/repository.ts";
import { Home, expect, test } from "./home.ts";

const JOBS = 20;
/** Duration of each measurement; idle and busy page alternate, so that both have the same machine load. */
const MEASURED_MS = 1_500;
const TURNS = 3;
/** Interval of each job's pushes, the shortest that the server allows; the jobs are spread over it. */
const PUSH_INTERVAL_MS = 200;
const SLOWDOWN = 4;
/** Lowest share of the idle page's frame rate, on a machine that is busy with other work. */
const FRAMES_KEPT = 0.4;

// A trace records the whole page at every change, which would distort the measurement.
test.use({ trace: "off" });

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

/** Starts a server with the built pages and twenty jobs that push at the highest rate. */
async function startBusyServer() {
  let progress = 0;
  const jobs = () => Array.from({ length: JOBS }, (_, index) => jobAt(index, progress));
  const answers: Record<string, () => unknown> = {
    "/api/conversions": jobs,
    "/api/device-info": () => ({ deviceId: "measured", authenticated: false, userId: null }),
    "/api/site-status": () => ({ failing: [] }),
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

/** Measures the page's frames and its longest gap between two frames. */
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

test("twenty moving progress bars keep nearly the frame rate of an idle page", async ({ page }) => {
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
  for (let turn = 0; turn < TURNS; turn += 1) {
    idle.push(await countFrames(page));
    const before = await layoutCount();
    server.startPushes();
    busy.push(await countFrames(page));
    server.stopPushes();
    layouts += (await layoutCount()) - before;
  }
  const idleRate = perSecond(idle);
  const busyRate = perSecond(busy);
  const longestMs = Math.max(...busy.map((turn) => turn.longestMs));
  process.stdout.write(
    `${JOBS} bars at ${SLOWDOWN}x slowdown: ${busyRate.toFixed(1)} frames/s, ` +
      `longest gap ${longestMs.toFixed(0)} ms (nothing moving: ${idleRate.toFixed(1)}); ` +
      `${server.pushCount()} pushes, ${layouts} layouts\n`,
  );

  expect(await home.percent(home.rows.first())).toBeGreaterThan(0);
  expect(busyRate / idleRate).toBeGreaterThan(FRAMES_KEPT);
  // On every machine several pushes are rendered together.
  expect(layouts).toBeLessThan(server.pushCount() / 2);
});
