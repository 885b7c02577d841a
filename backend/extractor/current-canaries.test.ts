import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { testFolder } from "../dev/testing/test-folder.ts";
import { tryLockFolder } from "../runtime/folder-lock.ts";
import type { CanaryFailure } from "./canary.ts";
import { CurrentCanaries } from "./current-canaries.ts";

const MINUTE_MS = 60_000;
const BROKEN: CanaryFailure = { canary: "https://youtu.be/one", reason: "site_changed" };

let folder: string;
let failures: readonly CanaryFailure[];
let tries: number;
let lines: string[];
let alarms: boolean[];
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  folder = await testFolder();
  failures = [];
  tries = 0;
  lines = [];
  alarms = [];
});
afterEach(() => vi.useRealTimers());

/** One process. */
function open(onTry: () => void = () => undefined): CurrentCanaries {
  return new CurrentCanaries({
    folder,
    canaries: {
      tryCurrent: () => {
        tries += 1;
        onTry();
        return Promise.resolve(failures);
      },
    },
    tryLock: tryLockFolder,
    onFailing: (areNew) => alarms.push(areNew),
    log: { info: (line) => lines.push(line), warn: (line) => lines.push(line) },
  });
}

async function tryNext(canaries: CurrentCanaries, ...found: CanaryFailure[]): Promise<void> {
  vi.setSystemTime(Date.now() + 30 * MINUTE_MS);
  failures = found;
  await canaries.tryIfDue();
}

it("reports a canary when it begins to fail and when it works again, and every failure to the renewal", async () => {
  const canaries = open();
  await tryNext(canaries);
  await tryNext(canaries, BROKEN);
  await tryNext(canaries, BROKEN);
  expect(await open().failing()).toEqual([BROKEN.canary]);
  await tryNext(canaries);
  expect(lines).toEqual([
    "the yt-dlp in use cannot read https://youtu.be/one any more: site_changed",
    "the yt-dlp in use no longer fails to read https://youtu.be/one",
  ]);
  expect(alarms).toEqual([true, false]);
  expect(await open().failing()).toEqual([]);
});

it("lets one of several processes try: the next try is 20 minutes later at the earliest", async () => {
  await open().tryIfDue();
  vi.setSystemTime(Date.now() + 20 * MINUTE_MS - 1);
  await open().tryIfDue();
  expect(tries).toBe(1);
  vi.setSystemTime(Date.now() + 1);
  await Promise.all([open().tryIfDue(), open().tryIfDue()]);
  expect(tries).toBe(2);
});

it("tries some minutes after the start, and then every 24 to 36 minutes", async () => {
  let tried = Promise.withResolvers<void>();
  await using canaries = open(() => tried.resolve());
  canaries.start();
  for (const [from, to] of [
    [4, 6],
    [24, 36],
    [24, 36],
  ] as const) {
    // Unlike vi.waitFor, it does not let the time of the timers pass.
    await expect.poll(() => vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(from * MINUTE_MS - 1);
    const before = tries;
    vi.advanceTimersByTime((to - from) * MINUTE_MS + 1);
    await tried.promise;
    expect(tries).toBe(before + 1);
    tried = Promise.withResolvers();
  }
});
