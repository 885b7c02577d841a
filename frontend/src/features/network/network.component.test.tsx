/** What the page says without a socket, and without a network. */
import { afterEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { connection } from "../../client/stores.ts";
import { press, stopClock } from "../../testing/actions.ts";
import { broken, fakeApi, json } from "../../testing/fake-api.ts";
import { field, stage, toast } from "../../testing/home.ts";
import { openPage } from "../../testing/open-page.tsx";
import { makePreview } from "../../testing/sample-answers.ts";
import { makeJob } from "../../testing/sample-jobs.ts";
import { expectToastShown } from "../../testing/toasts.ts";

const LINK = "https://video.example/watch/rain";
const row = page.getBySelector("[data-job=one]");
const processing = makeJob({ status: "processing", progress: 40, etaSeconds: 12 });
const goOffline = () => window.dispatchEvent(new Event("offline"));
const goOnline = () => window.dispatchEvent(new Event("online"));

afterEach(goOnline);

it("without a socket, the queue and the row of a job say how often it is updated", async () => {
  await openPage("/", { jobs: [processing], hasSocket: false });
  await expect.element(page.getBySelector("[data-network]")).toHaveTextContent("updated every 5 s");
  await expect.element(row).toMatchTextContent(/Downloading.*updated every 5 s/);
  connection.getState().connected();
  await expect.element(row).toMatchTextContent("MP3 · 128 kbps");
});

it("offline, the row of a job says that it goes on, without a time left", async () => {
  await openPage("/", { jobs: [processing, makeJob({ id: "two" })] });
  await expect.element(row).toMatchTextContent("12 s left");
  goOffline();
  await expect.element(row).toMatchTextContent("Offline: goes on at the server");
  await expect.element(row).not.toMatchTextContent("s left");
  await expect.element(page.getBySelector("[data-job=two]")).toMatchTextContent("Offline: goes on at the server");
});

it("a link that is typed offline is kept, which its place says, and is previewed when the network is back", async () => {
  fakeApi.answer("POST /api/preview", broken);
  await openPage("/");
  stopClock();
  goOffline();
  await field.fill(LINK);
  // Longer than the pauses between all tries.
  await vi.advanceTimersByTimeAsync(10_000);
  await expect.element(stage).toMatchTextContent("You are offline. Press Convert: the link is kept");
  await expect.element(stage).not.toHaveAttribute("data-preview", "loading");
  fakeApi.answer("POST /api/preview", () => json(makePreview()));
  goOnline();
  await expect.element(stage).toMatchTextContent("Rain on a tin roof");
});

it("the notice of a kept request closes when the request has been sent", async () => {
  let isBack = false;
  fakeApi.answer("POST /api/conversions", (call) => (isBack ? json(makeJob()) : broken(call)));
  await openPage("/");
  await field.fill(LINK);
  await press(field, "{Enter}");
  await expectToastShown("Waiting for Connection");
  await toast.hover();
  isBack = true;
  await expect.element(row).toBeVisible();
  await expect.element(toast).not.toBeInTheDocument();
});

it("a row says that it is slower than expected when its time left grows", async () => {
  const { push } = await openPage("/", { jobs: [processing] });
  await expect.element(row).toMatchTextContent("12 s left");
  push("job", makeJob({ status: "processing", progress: 41, etaSeconds: 30 }));
  await expect.element(row).toMatchTextContent("slower than expected");
});
