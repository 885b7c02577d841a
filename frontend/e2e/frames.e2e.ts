import { once } from "node:events";
import { createServer } from "node:http";
import path from "node:path";
import sirv from "sirv";
import { Server } from "socket.io";
import { REPOSITORY_ROOT } from "../../backend/dev/repository.ts";
import { Home, expect, test } from "./home.ts";

const JOBS = 20;
const MEASURED_MS = 5_000;
const PUSH_INTERVAL_MS = 200;
const SLOWDOWN = 4;

/** A job as the server pushes it. */
function jobAt(index: number, progress: number) {
  const fields = { title: `Clip ${index}`, format: "mp3", quality: "320kbps", attempt: 1, batchId: "many" };
  const state = { status: "processing", stage: "download", progress, bytesPerSecond: 1_000_000 + progress, etaSeconds: 100 - progress };
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
    "/api/config": () => ({ videoHosts: [], tier: "pro", signInAvailable: true, paymentAvailable: false, stripePublishableKey: null, stripeScriptUrl: null, sampleLinks: [] }),
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
  return {
    origin: `http://localhost:${address.port}`,
    startPushes() {
      pushes = setInterval(() => {
        progress = Math.min(progress + 1, 99);
        for (const job of jobs()) sockets.emit("job", job);
      }, PUSH_INTERVAL_MS);
    },
    async [Symbol.asyncDispose]() {
      clearInterval(pushes);
      await sockets.close();
    },
  };
}

test("twenty bars move together without the page stalling", async ({ page }) => {
  await using server = await startBusyServer();
  const home = new Home(page);
  await page.goto(server.origin);
  await page.locator("[data-batch]").getByRole("button", { name: "Batch of 20 videos" }).click();
  await expect(home.rows).toHaveCount(JOBS);

  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  server.startPushes();
  const { frames, longestMs, seconds } = await page.evaluate(async (durationMs) => {
    const times = [await new Promise<number>(requestAnimationFrame)];
    while ((times.at(-1) ?? 0) - (times[0] ?? 0) < durationMs) times.push(await new Promise<number>(requestAnimationFrame));
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time));
    return { frames: gaps.length, longestMs: Math.max(...gaps), seconds: gaps.reduce((sum, gap) => sum + gap, 0) / 1_000 };
  }, MEASURED_MS);
  process.stdout.write(`${JOBS} bars at ${SLOWDOWN}x slowdown: ${(frames / seconds).toFixed(1)} frames/s, longest gap ${longestMs.toFixed(0)} ms\n`);

  expect(await home.percent(home.rows.first())).toBeGreaterThan(0);
  // Far from what a person would call smooth, and from what a loaded machine makes of it: a stall, not a figure.
  expect(longestMs).toBeLessThan(2_000);
});
