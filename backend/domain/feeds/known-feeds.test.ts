/** What polls of a feed cost, in one process and in two. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { addJob, completeByWorker } from "../../dev/testing/stored-jobs.ts";
import { besideDomain, domainForTests, newViewer } from "../../dev/testing/test-domain.ts";
import { HOUR_MS, MINUTE_MS } from "../../../common/durations.ts";
import { deleteAccount } from "../accounts/delete-account.ts";
import { signIn } from "../accounts/sign-in.ts";
import type { Viewer } from "../accounts/viewer.ts";
import type { Domain } from "../domain.ts";
import { cancelOrRemove } from "../jobs/end-jobs.ts";
import type { StoredJob } from "../jobs/job-model.ts";
import { createFeed, revokeFeed, type OpenedFeed } from "./feeds.ts";
import { KnownFeeds } from "./known-feeds.ts";

const domain = domainForTests();
const NOW_MS = Date.UTC(2026, 0, 1, 12);

/** Calls of the database since the last look. */
let calls: string[];
let owner: Viewer & { userId: string };
let job: StoredJob;
let feeds: KnownFeeds;
let key: string;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date", "performance", "setTimeout", "clearTimeout"], now: NOW_MS });
  const viewer = newViewer();
  const claims = { issuer: "https://issuer", subject: "owner", email: "owner@example.org" };
  owner = { ...viewer, userId: (await signIn(domain, viewer.deviceId, claims))._id };
  job = await completeByWorker(domain, await addJob(domain, owner));
  ({ key } = await createFeed(domain, owner.userId, "en"));
  feeds = open(domain);
  await delivered(domain);
  calls = [];
  domain.jobs.db.set("debug", (collection: string, method: string) => void calls.push(`${collection}.${method}`));
});
afterEach(() => {
  domain.jobs.db.set("debug", false);
  vi.useRealTimers();
});

const open = (in_: Domain): KnownFeeds =>
  new KnownFeeds(in_, ({ tapes }: OpenedFeed) => tapes.map(({ _id }) => _id).join());

/** Waits until all that was published has arrived. */
const delivered = (in_: typeof domain) => in_.published("job");

/** As a poll does. @returns the tag, and how often the database was asked */
async function poll(of: KnownFeeds = feeds, by = key): Promise<[tag: string | undefined, calls: number]> {
  const before = calls.length;
  const tag = of.tagOf(by) ?? (await of.read(by))?.tag;
  return [tag, calls.length - before];
}

it("asks the database once for a thousand apps, and not again before something changes", async () => {
  const polls = await Promise.all(Array.from({ length: 1_000 }, () => poll()));
  expect(new Set(polls.map(([tag]) => tag))).toEqual(new Set([job._id]));
  expect(calls.toSorted()).toEqual(["feeds.findOne", "feeds.updateOne", "jobs.find", "users.findOne"]);
  expect(await poll()).toEqual([job._id, 0]);
});

it("does not ask for what happens to other accounts, or to jobs that are no tapes yet", async () => {
  await poll();
  await completeByWorker(domain, await addJob(domain, newViewer()));
  await addJob(domain, owner, "waits");
  await delivered(domain);
  expect(await poll()).toEqual([job._id, 0]);
});

const blockHost = (): void => domain.blocks.replace([{ kind: "host", value: "video.example", until: null, also: [] }]);

it.each<[string, () => unknown, string | undefined]>([
  ["a removed tape", () => cancelOrRemove(domain, owner, job._id), ""],
  ["a revoked feed", () => revokeFeed(domain, owner.userId), undefined],
  ["another address", () => createFeed(domain, owner.userId, "en"), undefined],
  ["a deleted account", () => deleteAccount(domain, owner.userId), undefined],
  ["a blocked host", blockHost, ""],
])("knows of %s at once", async (_, change, expected) => {
  await poll();
  await change();
  await delivered(domain);
  expect((await poll())[0]).toBe(expected);
});

it("loses a tape when it expires, without a word", async () => {
  await poll();
  vi.setSystemTime(NOW_MS + HOUR_MS - 1);
  expect(await poll()).toEqual([job._id, 0]);
  vi.setSystemTime(NOW_MS + HOUR_MS);
  expect((await poll())[0]).toBe("");
});

it("takes nothing for known that was read before a change", async () => {
  const reading = poll();
  domain.bus.publish("feed:changed", { userId: owner.userId });
  await delivered(domain);
  await reading;
  expect((await poll())[1]).toBeGreaterThan(0);
});

it("hears of changes in another process, and reads again after a minute if it does not", async () => {
  const other = besideDomain(domain);
  const there = open(other);
  await poll(there);
  const before = (await domain.published("feed:changed")).length;
  await completeByWorker(domain, await addJob(domain, owner, "b"));
  expect(await poll(there)).toEqual([job._id, 0]);
  const messages = (await domain.published("feed:changed")).slice(before);
  expect(messages).toEqual([{ userId: owner.userId }]);
  for (const message of messages) other.bus.publish("feed:changed", message);
  await delivered(other);
  const [both] = await poll(there);
  expect(both?.split(",")).toHaveLength(2);
  await cancelOrRemove(domain, owner, job._id);
  vi.advanceTimersByTime(MINUTE_MS - 1);
  expect(await poll(there)).toEqual([both, 0]);
  vi.advanceTimersByTime(1);
  expect((await poll(there))[0]?.split(",")).toHaveLength(1);
});

it("remembers no key that opens nothing", async () => {
  const wrong = key.toUpperCase();
  expect(await poll(feeds, wrong)).toEqual([undefined, 1]);
  expect(await poll(feeds, wrong)).toEqual([undefined, 1]);
  expect(await poll(feeds, "short")).toEqual([undefined, 0]);
});
