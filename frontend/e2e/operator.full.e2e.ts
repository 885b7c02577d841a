import type { Page } from "@playwright/test";
import { User } from "../../common/api.ts";
import { ErrorBody } from "../../common/errors.ts";
import { OperatorAct } from "../../common/operator-calls.ts";
import { OperatorState, type OperatorHistory, type ProcessReport, type WorkerState } from "../../common/operator.ts";
import { expectAccessible } from "./axe.ts";
import { expect, Home, test, waitUntilLive } from "./home.ts";
import { ageSessionsOf, nameOperator } from "./server.ts";
import { newBrowser, newUser, signIn, type TestUser } from "./users.ts";

const HOUR_MS = 3_600_000;

async function openAsOperator(page: Page): Promise<TestUser> {
  const grace = newUser("Grace");
  await signIn(page, grace);
  await nameOperator(grace.email);
  await page.goto("/operator");
  await expect(page.getByRole("heading", { level: 1, name: "Operator" })).toBeVisible();
  return grace;
}

const section = (page: Page, name: string) => page.getByRole("region", { name });

test("does not exist for anybody but operators", async ({ page }) => {
  expect((await page.goto("/operator"))?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "404" })).toBeVisible();
  await signIn(page, newUser());
  expect((await page.goto("/operator"))?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "404" })).toBeVisible();
});

test("asks for a fresh sign-in", async ({ page }) => {
  const grace = await openAsOperator(page);
  await ageSessionsOf(grace.email, HOUR_MS + 1_000);
  expect((await page.goto("/operator"))?.status()).toBe(200);
  await expect(page.getByRole("heading", { name: "Sign in again" })).toBeVisible();
  const asked = page.waitForRequest((request) => request.url().includes("/api/login?fresh"));
  await page.getByRole("button", { name: "Sign in again" }).click();
  await asked;
});

test("shows a visitor's job live, cancels it, and finds an account", async ({ page, browser }) => {
  const visitor = await newBrowser(browser);
  const home = new Home(await visitor.newPage());
  await openAsOperator(page);
  await expect(page.getByText("Live ·")).toBeVisible();
  await expect(section(page, "Processes").getByRole("listitem").first()).toContainText("of disk free");
  await expect(section(page, "Processes").getByRole("listitem").first()).toContainText("database answers in");

  await home.open();
  const { id } = await home.convert(await home.sampleLink("held"));
  // Other tests have jobs at the same time.
  const row = section(page, "Running jobs")
    .getByRole("listitem")
    .filter({ has: page.locator(`[data-running="${id}"]`) });
  await expect(row).toContainText("downloading");
  await expectAccessible(page, "the operator's page");
  await page.setViewportSize({ width: 320, height: 640 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await page.setViewportSize({ width: 1280, height: 800 });

  // By the keyboard alone.
  await row.getByRole("button", { name: /^Cancel job/ }).focus();
  await page.keyboard.press("Enter");
  await expect(row.getByRole("button", { name: "Really cancel" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(home.page.locator("#job-place [data-job]")).toHaveAttribute("data-status", "canceled");
  const log = section(page, "What operators did");
  await expect(log.getByRole("listitem").filter({ hasText: id })).toContainText("cancel_job");

  const ada = newUser();
  await signIn(home.page, ada);
  await page.getByLabel("Email address").fill("nobody@example.org");
  await page.getByLabel("Email address").press("Enter");
  await expect(page.getByText("Nobody has an account with this address.")).toBeVisible();
  await page.getByLabel("Email address").fill(ada.email);
  await page.getByLabel("Email address").press("Enter");
  const account = section(page, "Accounts").getByRole("listitem");
  await expect(account).toContainText(ada.email);
  await account.getByRole("button", { name: "Delete" }).click();
  await expect(account.getByRole("button", { name: "Delete account" })).toBeDisabled();
  await account.getByRole("textbox").fill("delete this account");
  await account.getByRole("textbox").press("Enter");
  await expect(page.getByText("Nobody has an account with this address.")).toBeVisible();
  await visitor.close();
});

test("retries and cancels a job, blocks with purge, and grants Pro, each with a line in the log", async ({
  page,
  browser,
}) => {
  const visitor = await newBrowser(browser);
  const ada = newUser();
  const home = new Home(await visitor.newPage());
  await signIn(home.page, ada);
  await home.open();
  const { id: adaId } = User.parse(await (await home.page.request.get("/api/auth/user")).json());
  const grace = await openAsOperator(page);
  const log = section(page, "What operators did").getByRole("listitem");
  const expectLogged = async (act: string, on: string): Promise<void> => {
    // The page finds an account again after each change of it; that search may only have begun when the log is read.
    const line = log
      .filter({ has: page.getByText(act, { exact: true }) })
      .filter({ hasText: on })
      .filter({ has: page.getByText("done", { exact: true }) })
      .first();
    await expect(line).toContainText(grace.email);
  };

  const held = await home.convert(await home.sampleLink("held"));
  const job = section(page, "One job");
  await job.getByLabel("Job id").fill(held.id);
  await job.getByRole("button", { name: "Cancel" }).click();
  await job.getByRole("button", { name: "Really cancel" }).click();
  await expect(home.rowOf(held)).toHaveAttribute("data-status", "canceled");
  await expectLogged("cancel_job", held.id);
  await job.getByRole("button", { name: "Retry" }).click();
  await expect(home.rowOf(held)).toHaveAttribute("data-status", "processing");
  await expectLogged("retry_job", held.id);

  const link = await home.sampleLink("rain");
  const rain = await home.convertUnseen(link);
  await expect(home.rowOf(rain)).toHaveAttribute("data-status", "completed");
  const file = `/api/conversions/${rain.id}/file`;
  expect((await home.page.request.get(file)).status()).toBe(200);
  const blocks = section(page, "Block list");
  await blocks.getByLabel("Kind").selectOption("video");
  await blocks.getByLabel("Value").fill(link);
  await blocks.getByLabel("Reason").fill("Notice 12");
  await blocks.getByRole("button", { name: "Block" }).click();
  // The link is new in each run, so its end names it.
  const name = new URL(link).search;
  await expect(blocks.getByRole("listitem").filter({ hasText: name })).toContainText("Notice 12");
  await expectLogged("block", name);
  await expect(home.rowOf(rain)).toContainText("Removed");
  expect(ErrorBody.parse(await (await home.page.request.get(file)).json()).code).toBe("blocked");
  const entry = blocks.getByRole("listitem").filter({ hasText: name });
  await entry.getByRole("button", { name: /^Unblock/ }).click();
  await entry.getByRole("button", { name: "Unblock", exact: true }).click();
  await expect(entry).toBeHidden();
  await expectLogged("unblock", name);

  await page.getByLabel("Email address").fill(ada.email);
  await page.getByLabel("Email address").press("Enter");
  const account = section(page, "Accounts").getByRole("listitem");
  await account.getByRole("button", { name: "Grant Pro" }).click();
  await expect(account).toContainText("Pro granted");
  await expectLogged("grant_pro", adaId);
  await expectLogged("find_account", adaId);
  await expect(home.page.getByText(`Pro User · ${ada.firstName}`)).toBeVisible();
  await account.getByRole("button", { name: "Revoke grant" }).click();
  await expectLogged("revoke_pro", adaId);
  await expect(home.page.getByText(`Pro User · ${ada.firstName}`)).toBeHidden();
  await visitor.close();
});

/** A day without a job until its newest quarter. */
const HISTORY: OperatorHistory = {
  points: Array.from({ length: 96 }, (_, index) => ({
    at: new Date(Date.UTC(2026, 0, 1) + index * 900_000).toISOString(),
    jobs: index === 95 ? 8 : 0,
    failed: 0,
    waitP95Seconds: null,
  })),
};

/** @returns how many pixels of the chart's middle have the colour of the bars */
const barPixels = (page: Page): Promise<number> =>
  page.locator("canvas").evaluate((canvas) => {
    if (!(canvas instanceof HTMLCanvasElement)) throw new Error("the chart is no canvas");
    const middle = canvas.getContext("2d")?.getImageData(0, Math.floor(canvas.height / 2), canvas.width, 1).data ?? [];
    return Array.from({ length: canvas.width }, (_, x) => x * 4).filter(
      (at) => (middle[at] ?? 0) > 200 && (middle[at + 2] ?? 255) < 120 && (middle[at + 3] ?? 0) > 0,
    ).length;
  });

// The other tests need the workers, so these do not really pause or drain them; backend/operator.test.ts does.
const TROUBLED: ProcessReport = {
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
    failureShare: 0,
  },
  exits: [],
  databaseMs: null,
  freeDiskBytes: null,
};

test("pauses after a second press, and shows that and empty lists without the socket", async ({ page }) => {
  let isPaused = false;
  await page.routeWebSocket(/socket\.io/, () => undefined);
  await page.route("**/socket.io/**", (route) => route.abort());
  await page.route("**/api/operator/watch", async (route) => {
    const answer = await route.fetch();
    const state = OperatorState.parse(await answer.json());
    const intake = { isPaused, since: state.asOf, by: "grace@example.org" };
    const json = { ...state, intake, running: [], failures: [], processes: [TROUBLED] } satisfies OperatorState;
    await route.fulfill({ response: answer, json });
  });
  let history: OperatorHistory = { points: [] };
  await page.route("**/api/operator/history", (route) => route.fulfill({ json: history }));
  await page.route("**/api/operator/acts", async (route) => {
    isPaused = OperatorAct.parse(route.request().postDataJSON()).act === "pause";
    await route.fulfill({ json: { success: true } });
  });
  await openAsOperator(page);
  await expect(page.getByText("Not connected")).toBeVisible();
  await expect(section(page, "Running jobs")).toContainText("No job is running.");
  await expect(section(page, "Failures of the last hour")).toContainText("Nothing failed");
  await expect(section(page, "Processes")).toContainText("database away");
  await expect(section(page, "Processes")).toContainText(
    "Not read at the last try: the sample page, https://youtu.be/one",
  );
  await expect(section(page, "Last 24 hours")).toContainText("No jobs in the last 24 hours.");
  // The form for the block list is one line: its date is whole.
  const blocks = section(page, "Block list");
  // Measured at once, because what stands above may grow meanwhile.
  const date = await blocks.getByLabel("Until (optional)").elementHandle();
  const apart = await blocks
    .getByRole("button", { name: "Block" })
    .evaluate((block, other) => block.getBoundingClientRect().y - (other?.getBoundingClientRect().y ?? NaN), date);
  expect(apart).toBeCloseTo(0, 0);
  await page.getByRole("button", { name: "Pause new jobs" }).click();
  expect(isPaused).toBe(false);
  await page.getByRole("button", { name: "Really pause" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Workers take no new jobs" })).toContainText("grace@");
  await page.getByRole("button", { name: "Take jobs again" }).click();
  await expect(page.getByText("Workers take no new jobs")).toBeHidden();
  expect(isPaused).toBe(false);
  history = HISTORY;
  await page.reload();
  // A bar that begins at the edge of the picture would be a line of one or two pixels.
  await expect.poll(() => barPixels(page)).toBeGreaterThan(3);
});

test("drains one worker after a second press, and resumes it", async ({ page }) => {
  let workerState: WorkerState = "working";
  await page.routeWebSocket(/socket\.io/, () => undefined);
  await page.route("**/socket.io/**", (route) => route.abort());
  await page.route("**/api/operator/watch", async (route) => {
    const answer = await route.fetch();
    const state = OperatorState.parse(await answer.json());
    const json = { ...state, processes: [{ ...TROUBLED, workerState }] } satisfies OperatorState;
    await route.fulfill({ response: answer, json });
  });
  const asked: OperatorAct[] = [];
  await page.route("**/api/operator/acts", async (route) => {
    const act = OperatorAct.parse(route.request().postDataJSON());
    asked.push(act);
    workerState = act.act === "drain_worker" ? "draining" : "working";
    await route.fulfill({ json: { success: true } });
  });
  await openAsOperator(page);
  await page.setViewportSize({ width: 390, height: 844 });
  const worker = section(page, "Processes").getByRole("listitem");
  await worker.getByRole("button", { name: "Drain worker-1:42" }).click();
  expect(asked).toEqual([]);
  await worker.getByRole("button", { name: "Really drain" }).click();
  await expect(worker.getByText("draining", { exact: true })).toBeVisible();
  workerState = "drained";
  await expect(worker.getByText("drained", { exact: true })).toBeVisible();
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await worker.getByRole("button", { name: "Resume worker-1:42" }).click();
  await expect(worker.getByRole("button", { name: "Drain worker-1:42" })).toBeVisible();
  expect(asked).toEqual([
    { act: "drain_worker", processId: "worker-1" },
    { act: "resume_worker", processId: "worker-1" },
  ]);
});

test("lists accounts that disagree with the payment provider, and reads one back", async ({ page }) => {
  const until = "2027-02-15T12:00:00.000Z";
  const [standing, corrected] = [
    { userId: "account-1", ours: { tier: "free", until: null }, theirs: { tier: "pro", until }, isCorrected: false },
    { userId: "account-2", ours: { tier: "pro", until }, theirs: { tier: "free", until: null }, isCorrected: true },
  ] as const;
  let isReadBack = false;
  await page.routeWebSocket(/socket\.io/, () => undefined);
  await page.route("**/socket.io/**", (route) => route.abort());
  await page.route("**/api/operator/watch", async (route) => {
    const answer = await route.fetch();
    const state = OperatorState.parse(await answer.json());
    const found = isReadBack ? [corrected] : [standing, corrected];
    const billing: OperatorState["billing"] = {
      failing: 1,
      overdue: 0,
      unhandledEvents: 0,
      userIds: ["account-3"],
      disagreeing: isReadBack ? 0 : 1,
      corrected: 1,
      disagreements: found.map((one) => ({ ...one, since: "2026-01-15T09:30:00.000Z" })),
    };
    await route.fulfill({ response: answer, json: { ...state, billing } satisfies OperatorState });
  });
  await page.route("**/api/operator/acts", async (route) => {
    expect(OperatorAct.parse(route.request().postDataJSON())).toEqual({ act: "read_back", userId: "account-1" });
    isReadBack = true;
    await route.fulfill({ json: { success: true } });
  });
  await openAsOperator(page);
  await page.setViewportSize({ width: 390, height: 844 });
  const subscriptions = section(page, "Subscriptions");
  const row = (text: string) => subscriptions.getByRole("listitem").filter({ hasText: text });
  await expect(subscriptions).toContainText("1 account disagrees with the provider.");
  await expect(row("account-1")).toContainText("Here Free, at the provider Pro until Feb 15, 2027");
  await expect(row("account-1")).toContainText("since Jan 15, 2026");
  await expect(row("account-2")).toContainText("Was Pro until Feb 15, 2027 here, at the provider Free");
  await expect(row("account-3")).toContainText("Could not be read back in time");
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await expectAccessible(page, "the operator's page with disagreeing accounts");
  await row("account-1").getByRole("button", { name: "Read back now: account account-1" }).click();
  await expect(row("account-1")).toBeHidden();
  await expect(subscriptions).not.toContainText("disagrees");
});

test("says that the server does not answer, and goes on", async ({ page }) => {
  await openAsOperator(page);
  await waitUntilLive(page);
  for (const call of ["watch", "records"])
    await page.route(`**/api/operator/${call}`, (route) => route.fulfill({ status: 503, body: "" }));
  await page.reload();
  await expect(page.getByRole("alert")).toContainText("does not answer");
  await page.unroute("**/api/operator/watch");
  await expect(page.getByRole("heading", { level: 1, name: "Operator" })).toBeVisible();
  await expect(page.getByRole("alert")).toContainText("could not be read");
  await page.unroute("**/api/operator/records");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(section(page, "What operators did")).toBeVisible();
  await expect(page.getByRole("alert")).toBeHidden();
});
