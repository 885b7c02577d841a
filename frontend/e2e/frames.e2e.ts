import { expect, test } from "./home.ts";

const JOBS = 20;
const MEASURED_MS = 5_000;
const PUSH_INTERVAL_MS = 200;
const SLOWDOWN = 4;

/** A job as the server pushes it. */
function jobAt(index: number, progress: number, pushedAtMs: number) {
  const fields = { title: `Clip ${index}`, format: "mp3", quality: "320kbps", attempt: 1, batchId: "many" };
  const state = { status: "processing", stage: "download", progress, bytesPerSecond: 1_000_000 + progress, etaSeconds: 100 - progress };
  const createdAt = new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString();
  return { ...fields, ...state, id: `clip-${index}`, createdAt, updatedAt: new Date(pushedAtMs).toISOString() };
}

test("twenty bars move together without the page stalling", async ({ page, home }) => {
  const jobs = (progress: number) => Array.from({ length: JOBS }, (_, index) => jobAt(index, progress, Date.now()));
  let push: ((event: string, payload: unknown) => void) | undefined;
  await page.routeWebSocket(/\/socket\.io\//, (socket) => {
    push = (event, payload) => socket.send(`42${JSON.stringify([event, payload])}`);
    socket.onMessage((message) => {
      if (!String(message).startsWith("40")) return;
      socket.send('40{"sid":"fake"}');
      push?.("snapshot", { asOf: new Date().toISOString(), jobs: jobs(0) });
    });
    socket.send('0{"sid":"fake","upgrades":[],"pingInterval":60000,"pingTimeout":60000,"maxPayload":1000000}');
  });
  await page.route("**/api/conversions", (route) => route.fulfill({ json: jobs(0) }));
  await home.open();
  await page.locator("[data-batch]").getByRole("button", { name: "Batch of 20 videos" }).click();
  await expect(home.rows).toHaveCount(JOBS);
  await expect(page.getByText("Reconnecting…")).toHaveCount(0);

  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  let progress = 0;
  const pushes = setInterval(() => {
    progress += 1;
    for (const job of jobs(progress)) push?.("job", job);
  }, PUSH_INTERVAL_MS);
  const { frames, longestMs, seconds } = await page.evaluate(async (durationMs) => {
    const times = [await new Promise<number>(requestAnimationFrame)];
    while ((times.at(-1) ?? 0) - (times[0] ?? 0) < durationMs) times.push(await new Promise<number>(requestAnimationFrame));
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time));
    return { frames: gaps.length, longestMs: Math.max(...gaps), seconds: gaps.reduce((sum, gap) => sum + gap, 0) / 1_000 };
  }, MEASURED_MS);
  clearInterval(pushes);
  process.stdout.write(`${JOBS} bars at ${SLOWDOWN}x slowdown: ${(frames / seconds).toFixed(1)} frames/s, longest gap ${longestMs.toFixed(0)} ms\n`);

  expect(await home.percent(home.rows.first())).toBeGreaterThan(0);
  // Far from what a person would call smooth, and from what a loaded machine makes of it: a stall, not a figure.
  expect(longestMs).toBeLessThan(2_000);
});
