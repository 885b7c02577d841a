import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SiteStatus } from "../../../common/site-status.ts";
import { createInProcessBus, type Bus } from "../bus.ts";
import { SiteHealth } from "./site-health.ts";
import { SiteReporter, SiteReports } from "./site-reports.ts";

const REFUSING = { failing: [{ site: "youtube", reason: "refusing" }] };
const NONE = { failing: [] };

let resources: DisposableStack;
let bus: Bus;
beforeEach(() => {
  // Messages of the bus are delivered by real immediates.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setTimeout", "clearTimeout", "Date", "performance"] });
  resources = new DisposableStack();
  bus = createInProcessBus();
});
afterEach(async () => {
  resources.dispose();
  await bus.close();
  vi.useRealTimers();
});

function openWorker() {
  const health = new SiteHealth();
  const reporter = resources.use(new SiteReporter(bus, "youtube", health));
  return {
    reporter,
    record(link: string, outcome: "works" | "refusing" | "changed", isRefusedEverywhere = false) {
      health.record(link, outcome, isRefusedEverywhere);
      reporter.update();
    },
  };
}

function openReports() {
  const reports = resources.use(new SiteReports(bus));
  const changes: SiteStatus[] = [];
  reports.onChange((status) => changes.push(status));
  return { reports, changes };
}

it("tells every change once", async () => {
  const { reports, changes } = openReports();
  const worker = openWorker();
  worker.record("one", "works");
  worker.record("two", "refusing", true);
  worker.record("three", "refusing", true);
  await nextTurn();
  expect(reports.status).toEqual(REFUSING);
  worker.record("two", "works");
  worker.record("three", "works");
  await nextTurn();
  expect(changes).toEqual([REFUSING, NONE]);
});

it("tells a process that starts later at once", async () => {
  openWorker().record("one", "refusing", true);
  await nextTurn();
  const { reports } = openReports();
  // The question and the answer.
  await nextTurn();
  await nextTurn();
  expect(reports.status).toEqual(REFUSING);
});

it("repeats the report, so that it does not expire", async () => {
  const { changes } = openReports();
  openWorker().record("one", "refusing", true);
  await nextTurn();
  for (let count = 0; count < 10; count += 1) {
    vi.advanceTimersByTime(10_000);
    await nextTurn();
  }
  expect(changes).toEqual([REFUSING]);
});

it("forgets a process that died", async () => {
  const { reports, changes } = openReports();
  bus.publish("site:report", { by: "a", site: "youtube", outcome: "refusing", links: 1 });
  await nextTurn();
  vi.advanceTimersByTime(34_999);
  expect(reports.status).toEqual(REFUSING);
  vi.advanceTimersByTime(1);
  expect(changes).toEqual([REFUSING, NONE]);
});

it("forgets a process that stops, at once", async () => {
  const { changes } = openReports();
  const worker = openWorker();
  worker.record("one", "refusing", true);
  await nextTurn();
  worker.reporter[Symbol.dispose]();
  await nextTurn();
  expect(changes).toEqual([REFUSING, NONE]);
});

it("withdraws its report when nothing is known any more", async () => {
  const { changes } = openReports();
  openWorker().record("one", "refusing", true);
  await nextTurn();
  vi.advanceTimersByTime(70 * 60_000);
  await nextTurn();
  expect(changes.at(-1)).toEqual(NONE);
});

describe("several processes", () => {
  it("a site fails when it fails for more than half of the links that they tried", async () => {
    const { reports } = openReports();
    const [one, two] = [openWorker(), openWorker()];
    for (let link = 0; link < 5; link += 1) one.record(`link ${link}`, "changed");
    for (let link = 0; link < 5; link += 1) two.record(`link ${link}`, "works");
    vi.advanceTimersByTime(10_000);
    await nextTurn();
    expect(reports.status).toEqual(NONE);
    one.record("link 6", "changed");
    vi.advanceTimersByTime(10_000);
    await nextTurn();
    expect(reports.status).toEqual({ failing: [{ site: "youtube", reason: "changed" }] });
  });

  it("ignores sites and outcomes of newer versions", async () => {
    const { reports } = openReports();
    bus.publish("site:report", { by: "a", site: "vimeo", outcome: "refusing", links: 9 });
    bus.publish("site:report", { by: "a", site: "youtube", outcome: "melting", links: 9 });
    await nextTurn();
    expect(reports.status).toEqual(NONE);
  });
});
