/** What the operator's page shows of the server, and what it sends. */
import { beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import type { OperatorHistory, OperatorState, ProcessReport } from "../../../common/operator.ts";
import { stopClock } from "../testing/actions.ts";
import { fakeApi, json, refusal } from "../testing/fake-api.ts";
import { filledButtons } from "../testing/filled-buttons.ts";
import { openPage } from "../testing/open-page.tsx";
import { violationsInDark, violationsOfPage } from "../testing/violations.ts";

/** Longer than the page waits between two questions without a socket. */
const POLLED_MS = 6_000;

const WORKER: ProcessReport = {
  id: "worker-1",
  name: "worker-1:42",
  role: "worker",
  startedAt: new Date(0).toISOString(),
  sockets: null,
  conversions: 1,
  workerState: "working",
  isRedisUp: true,
  extractor: {
    version: "2026.01.10",
    ageDays: 5,
    failingCanaries: 2,
    failingCanaryNames: ["the sample page", "https://youtu.be/one"],
    waiting: { version: "2026.01.14", until: null, packages: ["new-one"] },
    heldBack: { cause: "python", version: "2026.01.20", words: "ERROR: Requires-Python >=3.11" },
    failureShare: 0,
  },
  exits: [],
  youtube: {
    unknownClients: ["tv_embedded"],
    unknownReasons: ["ERROR: [youtube] This video is on the moon"],
    scripts: "stopped",
    clients: [
      {
        name: "visionos",
        videos: 12,
        formats: 240,
        withCaptions: 8,
        captionsWithheld: 3,
        refusals: [{ code: "site_changed", times: 40 }],
        lastVideoAt: null,
        isAskedLast: true,
      },
    ],
  },
  databaseMs: null,
  freeDiskBytes: null,
};

const IDLE: OperatorState = {
  asOf: "2026-01-15T12:00:00.000Z",
  intake: { isPaused: false, since: null, by: null },
  queue: (["free", "pro"] as const).map((tier) => ({
    tier,
    waiting: 0,
    waitingForSite: 0,
    running: 0,
    oldestSeconds: 0,
  })),
  running: [],
  failures: [],
  sites: [],
  processes: [WORKER],
  billing: {
    failing: 0,
    overdue: 0,
    unhandledEvents: 0,
    userIds: [],
    disagreeing: 0,
    corrected: 0,
    disagreements: [],
  },
};

const SITES = [
  { site: "video.example", asked: 12, completed: 4, failed: 7, refusing: 5, changed: 0 },
  { site: "youtube.com", asked: 3, completed: 3, failed: 0, refusing: 0, changed: 0 },
];

/** A day without a job until its newest quarter. */
const HISTORY: OperatorHistory = {
  points: Array.from({ length: 96 }, (_, index) => ({
    at: new Date(Date.UTC(2026, 0, 1) + index * 900_000).toISOString(),
    jobs: index === 95 ? 8 : 0,
    failed: 0,
    waitP95Seconds: null,
  })),
};

const section = (name: string) => page.getByRole("region", { name });
const title = page.getByRole("heading", { level: 1, name: "Operator" });
const alert = page.getByRole("alert");
const button = (name: string) => page.getByRole("button", { name });
const acts = () => fakeApi.bodies("POST /api/operator/acts");

/** Lets the server be in a state from now on. */
function serve(fields: Partial<OperatorState> = {}): void {
  fakeApi.answer("POST /api/operator/watch", () => json({ ...IDLE, ...fields }));
}

/** Lets an act lead to a state. */
function serveAfterAct(fields: () => Partial<OperatorState>): void {
  fakeApi.answer("POST /api/operator/acts", () => {
    serve(fields());
    return json({ success: true });
  });
}

const open = () => openPage("/operator", { hasSocket: false });

beforeEach(() => {
  serve();
  fakeApi.answer("GET /api/operator/history", () => json({ points: [] }));
  fakeApi.answer("GET /api/operator/records", () => json({ log: [], blocks: [] }));
});

it("shows the sites that were asked most, and which of them refuse", async () => {
  serve({ sites: SITES });
  await open();
  const sites = section("Sites of the last hour");
  await expect.element(sites).toMatchTextContent("12 asked for · 4 completed · 7 failed");
  await expect.element(sites.getByText("refused us 5 ×")).toBeVisible();
  await expect.element(sites).toMatchTextContent("youtube.com3 asked for");
});

it("shows empty lists, what troubles a process, and the form of the block list in one line", async () => {
  await open();
  await expect.element(page.getByText(/^Not connected/)).toBeVisible();
  await expect.element(section("Running jobs")).toMatchTextContent("No job is running.");
  await expect.element(section("Failures of the last hour")).toMatchTextContent("Nothing failed");
  await expect.element(section("Sites of the last hour")).toMatchTextContent("No link was asked for");
  await expect.element(section("Processes")).toMatchTextContent("database away");
  await expect
    .element(section("Processes"))
    .toMatchTextContent("Not read at the last try: the sample page, https://youtu.be/one");
  await expect
    .element(section("Processes"))
    .toMatchTextContent("yt-dlp 2026.01.14 is offered and not used: it needs packages that the first one did not");
  await expect
    .element(section("Processes"))
    .toMatchTextContent("YOUTUBE_CLIENTS names clients that this yt-dlp does not have: tv_embedded");
  await expect
    .element(section("Processes"))
    .toMatchTextContent(
      "yt-dlp 2026.01.20 cannot be installed here: it needs a newer Python: ERROR: Requires-Python >=3.11",
    );
  await expect.element(section("Processes")).toMatchTextContent("Deno was stopped within the last day");
  await expect
    .element(section("Processes"))
    .toMatchTextContent(
      "YouTube client visionos: gave 12 videos with 240 formats; captions of 8; no captions of 3 that have some; " +
        "site_changed 40×; none so far asked last, as it fails for most videos",
    );
  await expect.element(section("Processes")).toMatchTextContent("does not know: ERROR: [youtube] This video is on the");
  await expect.element(section("Last 24 hours")).toMatchTextContent("No jobs in the last 24 hours.");
  const blocks = section("Block list");
  const date = await blocks.getByLabelText("Until (optional)").findElement();
  const block = blocks.getByRole("button", { name: "Block" }).element();
  expect(block.getBoundingClientRect().y - date.getBoundingClientRect().y).toBeCloseTo(0, 0);
  expect(filledButtons()).toEqual([]);
});

it.each([
  [1280, 1],
  [1920, 2],
])("stands in columns on wide screens: %i px, %i", async (width, columns) => {
  await page.viewport(width, 1000);
  await open();
  const starts = [];
  for (const name of ["Running jobs", "Processes", "Accounts", "Block list"])
    starts.push((await section(name).findElement()).getBoundingClientRect().left);
  expect(new Set(starts).size).toBe(columns);
  expect(document.documentElement.scrollWidth).toBe(width);
});

it("pauses after a second press, says who has paused, and takes jobs again", async () => {
  serveAfterAct(() => ({
    intake: { isPaused: acts().length === 1, since: IDLE.asOf, by: "grace@example.org" },
  }));
  await open();
  await button("Pause new jobs").click();
  expect(acts()).toEqual([]);
  await button("Really pause").click();
  const paused = page.getByRole("status").filter({ hasText: "Workers take no new jobs" });
  await expect.element(paused).toMatchTextContent("grace@");
  expect(filledButtons()).toEqual(["Take jobs again"]);
  await button("Take jobs again").click();
  await expect.element(paused).not.toBeInTheDocument();
  expect(acts()).toEqual([{ act: "pause" }, { act: "resume" }]);
});

it("draws the jobs of the last day", async () => {
  fakeApi.answer("GET /api/operator/history", () => json(HISTORY));
  await open();
  // A bar that begins at the edge of the picture would be a line of one or two pixels.
  await expect.poll(barPixels).toBeGreaterThan(3);
});

/** @returns how many pixels of the chart's middle have the colour of the bars */
function barPixels(): number {
  const canvas = document.querySelector("canvas");
  const middle = canvas?.getContext("2d")?.getImageData(0, Math.floor(canvas.height / 2), canvas.width, 1).data ?? [];
  return Array.from({ length: middle.length / 4 }, (_, x) => x * 4).filter(
    (at) => (middle[at] ?? 0) > 200 && (middle[at + 2] ?? 255) < 120 && (middle[at + 3] ?? 0) > 0,
  ).length;
}

it("drains one worker after a second press, and resumes it", async () => {
  await page.viewport(390, 844);
  serveAfterAct(() => ({ processes: [{ ...WORKER, workerState: acts().length === 1 ? "draining" : "working" }] }));
  await open();
  const worker = section("Processes").getByRole("listitem");
  await worker.getByRole("button", { name: "Drain worker-1:42" }).click();
  expect(acts()).toEqual([]);
  stopClock();
  await worker.getByRole("button", { name: "Really drain" }).click();
  await expect.element(worker.getByText("draining", { exact: true })).toBeVisible();
  serve({ processes: [{ ...WORKER, workerState: "drained" }] });
  await vi.advanceTimersByTimeAsync(POLLED_MS);
  await expect.element(worker.getByText("drained", { exact: true })).toBeVisible();
  expect(document.documentElement.scrollWidth).toBe(390);
  await worker.getByRole("button", { name: "Resume worker-1:42" }).click();
  await expect.element(worker.getByRole("button", { name: "Drain worker-1:42" })).toBeVisible();
  expect(acts()).toEqual([
    { act: "drain_worker", processId: "worker-1" },
    { act: "resume_worker", processId: "worker-1" },
  ]);
});

it("lists accounts that disagree with the payment provider, and reads one back", async () => {
  const until = "2027-02-15T12:00:00.000Z";
  const since = "2026-01-15T09:30:00.000Z";
  const free = { tier: "free", until: null } as const;
  const pro = { tier: "pro", until } as const;
  const standing = { userId: "account-1", ours: free, theirs: pro, since, isCorrected: false };
  const corrected = { userId: "account-2", ours: pro, theirs: free, since, isCorrected: true };
  const billing = { ...IDLE.billing, failing: 1, userIds: ["account-3"], corrected: 1 };
  serve({ billing: { ...billing, disagreeing: 1, disagreements: [standing, corrected] } });
  serveAfterAct(() => ({ billing: { ...billing, disagreements: [corrected] } }));
  await page.viewport(390, 844);
  await open();
  const subscriptions = section("Subscriptions");
  const row = (text: string) => subscriptions.getByRole("listitem").filter({ hasText: text });
  await expect.element(subscriptions).toMatchTextContent("1 account disagrees with the provider.");
  await expect.element(row("account-1")).toMatchTextContent("Here Free, at the provider Pro until Feb 15, 2027");
  await expect.element(row("account-1")).toMatchTextContent("since Jan 15, 2026");
  await expect.element(row("account-2")).toMatchTextContent("Was Pro until Feb 15, 2027 here, at the provider Free");
  await expect.element(row("account-3")).toMatchTextContent("Could not be read back in time");
  expect(document.documentElement.scrollWidth).toBe(390);
  await expect.poll(violationsOfPage).toEqual([]);
  await expect.poll(violationsInDark).toEqual([]);
  await row("account-1").getByRole("button", { name: "Read back now: account account-1" }).click();
  await expect.element(row("account-1")).not.toBeInTheDocument();
  await expect.element(subscriptions).not.toMatchTextContent("disagrees");
  expect(acts()).toEqual([{ act: "read_back", userId: "account-1" }]);
});

it("asks for a fresh sign-in", async () => {
  fakeApi.answer("POST /api/operator/watch", () => refusal(403, "fresh_sign_in_required", "Sign in again."));
  await open();
  await expect.element(alert.getByRole("button", { name: "Sign in again" })).toBeVisible();
  expect(filledButtons()).toEqual(["Sign in again"]);
});

it("says that the server does not answer, and goes on", async () => {
  const away = () => new Response("", { status: 503 });
  fakeApi.answer("POST /api/operator/watch", away);
  fakeApi.answer("GET /api/operator/records", away);
  stopClock();
  await open();
  await expect.element(alert).toMatchTextContent("does not answer");
  serve();
  await vi.advanceTimersByTimeAsync(POLLED_MS);
  await expect.element(title).toBeVisible();
  await expect.element(alert).toMatchTextContent("could not be read");
  fakeApi.answer("GET /api/operator/records", () => json({ log: [], blocks: [] }));
  await button("Try again").click();
  await expect.element(section("What operators did")).toBeVisible();
  await expect.element(alert).not.toBeInTheDocument();
});
