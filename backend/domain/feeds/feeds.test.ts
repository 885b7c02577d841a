import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { completeByWorker, addJob } from "../../dev/testing/stored-jobs.ts";
import { domainForTests, newViewer } from "../../dev/testing/test-domain.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../common/durations.ts";
import { MAX_FEED_TAPES } from "../../../common/feed-calls.ts";
import type { ConversionChoices } from "../../../common/choices.ts";
import type { Format } from "../../../common/tiers.ts";
import { deleteAccount } from "../accounts/delete-account.ts";
import { signIn } from "../accounts/sign-in.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { createConversion } from "../jobs/add-jobs.ts";
import { cancelOrRemove } from "../jobs/end-jobs.ts";
import type { StoredJob } from "../jobs/job-model.ts";
import { expireFiles } from "../jobs/maintenance.ts";
import { readFeedFigures } from "./figures.ts";
import { createFeed, findTape, openFeed, readFeed, revokeFeed } from "./feeds.ts";

const domain = domainForTests();
const NOW_MS = Date.UTC(2026, 0, 1, 12);

let owner: Viewer & { userId: string };
let job: StoredJob;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW_MS });
  owner = await newUser("owner");
  job = await completeByWorker(domain, await addJob(domain, owner));
});
afterEach(() => void vi.useRealTimers());

async function newUser(name: string, more: Partial<Viewer> = {}): Promise<Viewer & { userId: string }> {
  const viewer = newViewer(more);
  const claims = { issuer: "https://issuer", subject: name, email: `${name}@example.org` };
  return { ...viewer, userId: (await signIn(domain, viewer.deviceId, claims))._id };
}

const later = (ms: number): void => void vi.setSystemTime(NOW_MS + ms);
const makeKey = async (): Promise<string> => (await createFeed(domain, owner.userId, "en")).key;
const tapesOf = async (key: string) => (await openFeed(domain, key))?.tapes.map(({ _id }) => _id);

async function convert(format: Format, choices?: ConversionChoices): Promise<string> {
  const link = { youtubeUrl: "https://video.example/other", format, ...(choices && { choices }) };
  return (await completeByWorker(domain, await createConversion(domain, { ...owner, tier: "pro" }, link)))._id;
}

it("has what its account has converted to sound, newest first, and stores no key", async () => {
  const { key, ...feed } = await createFeed(domain, owner.userId, "de");
  expect(feed).toEqual({ createdAt: new Date(NOW_MS).toISOString(), lastReadAt: null });
  await convert("mp4");
  await convert("transcript");
  await convert("mp3", { chapterFiles: true });
  later(1);
  const flac = await convert("flac");
  const stranger = await newUser("stranger");
  await completeByWorker(domain, await addJob(domain, stranger));
  await addJob(domain, owner, "waits");
  expect(await openFeed(domain, key)).toMatchObject({ userId: owner.userId, language: "de" });
  expect(await tapesOf(key)).toEqual([flac, job._id]);
  expect(await findTape(domain, key, job._id)).toMatchObject({ _id: job._id });
  expect(JSON.stringify(await domain.feeds.find().lean())).not.toContain(key);
});

it("has an original sound, and none that has turned out to be something else", async () => {
  const key = await makeKey();
  const original = await convert("original");
  await domain.jobs.updateOne({ _id: original }, { $set: { fileKind: "opus" } });
  expect(await tapesOf(key)).toContain(original);
  await domain.jobs.updateOne({ _id: original }, { $set: { fileKind: "mp4" } });
  expect(await tapesOf(key)).not.toContain(original);
  expect(await findTape(domain, key, original)).toBeNull();
});

it("has the newest tapes of many", async () => {
  const key = await makeKey();
  const stored = await domain.stored(job._id);
  const copies = Array.from({ length: MAX_FEED_TAPES }, (_, index) => ({
    ...stored,
    _id: `copy-${index}`,
    requestKey: undefined,
    createdAt: new Date(NOW_MS + 1 + index),
  }));
  await domain.jobs.insertMany(copies.slice(1));
  expect((await tapesOf(key))?.at(-1)).toBe(job._id);
  await domain.jobs.insertMany(copies.slice(0, 1));
  const ids = await tapesOf(key);
  expect(ids).toHaveLength(MAX_FEED_TAPES);
  expect([ids?.[0], ids?.at(-1)]).toEqual([`copy-${MAX_FEED_TAPES - 1}`, "copy-0"]);
});

it.each<[string, () => Promise<unknown>]>([
  ["is removed", () => cancelOrRemove(domain, owner, job._id)],
  ["has expired", () => Promise.resolve(later(HOUR_MS))],
  ["was deleted after that", () => expireFiles(domain, new Date(NOW_MS + HOUR_MS))],
  ["is of a blocked video", () => domain.jobs.updateOne({ _id: job._id }, { $set: { isBlocked: true } })],
])("loses a tape that %s", async (_, end) => {
  const key = await makeKey();
  later(HOUR_MS - 1);
  expect(await tapesOf(key)).toEqual([job._id]);
  await end();
  expect(await tapesOf(key)).toEqual([]);
  expect(await findTape(domain, key, job._id)).toBeNull();
});

it("has no tape of a blocked host, and nothing while its owner is blocked", async () => {
  const key = await makeKey();
  const forever = { until: null, also: [] };
  domain.blocks.replace([{ kind: "host", value: "video.example", ...forever }]);
  expect(await tapesOf(key)).toEqual([]);
  expect(await findTape(domain, key, job._id)).toBeNull();
  const refused = expect.objectContaining({ code: "access_blocked" });
  for (const value of [owner.userId, "owner@example.org"]) {
    domain.blocks.replace([{ kind: "user", value, ...forever }]);
    await expect(openFeed(domain, key)).rejects.toThrow(refused);
    await expect(findTape(domain, key, job._id)).rejects.toThrow(refused);
  }
  domain.blocks.replace([]);
  expect(await tapesOf(key)).toEqual([job._id]);
});

it.each<[string, () => Promise<unknown>]>([
  ["is revoked", () => revokeFeed(domain, owner.userId)],
  ["has another address", () => makeKey()],
  ["loses its account", () => deleteAccount(domain, owner.userId)],
  [
    "is of an account that is being deleted",
    () => domain.users.updateOne({ _id: owner.userId }, { $set: { deletedAt: new Date() } }),
  ],
])("opens nothing any more when it %s", async (_, end) => {
  const key = await makeKey();
  expect(await tapesOf(key)).toEqual([job._id]);
  await end();
  expect(await openFeed(domain, key)).toBeNull();
  expect(await findTape(domain, key, job._id)).toBeNull();
});

it("opens by its key alone, and nothing of other accounts", async () => {
  const key = await makeKey();
  for (const wrong of ["", `${key}a`, key.toLowerCase(), key.slice(1)])
    expect(await openFeed(domain, wrong)).toBeNull();
  const stranger = await newUser("stranger");
  const { key: other } = await createFeed(domain, stranger.userId, "en");
  expect(await tapesOf(other)).toEqual([]);
  expect(await findTape(domain, other, job._id)).toBeNull();
});

it("is one of an account, however many pages make it at once", async () => {
  const made = await Promise.all(Array.from({ length: 8 }, makeKey));
  const opened = await Promise.all(made.map((key) => openFeed(domain, key)));
  expect(opened.filter((feed) => feed !== null)).toHaveLength(1);
  await expect(createFeed(domain, "nobody", "en")).rejects.toThrow(
    expect.objectContaining({ code: "sign_in_required" }),
  );
});

it("says when it was last read, to five minutes", async () => {
  const key = await makeKey();
  const lastRead = async () => (await readFeed(domain, owner.userId))?.lastReadAt;
  await openFeed(domain, key);
  expect(await lastRead()).toBe(new Date(NOW_MS).toISOString());
  later(5 * MINUTE_MS - 1);
  await openFeed(domain, key);
  expect(await lastRead()).toBe(new Date(NOW_MS).toISOString());
  later(5 * MINUTE_MS);
  await openFeed(domain, key);
  expect(await lastRead()).toBe(new Date(NOW_MS + 5 * MINUTE_MS).toISOString());
  await revokeFeed(domain, owner.userId);
  expect(await readFeed(domain, owner.userId)).toBeNull();
});

it("is counted for operators, and as read when an app has read it within a day", async () => {
  const count = () => readFeedFigures(domain, new Date());
  const before = await count();
  const key = await makeKey();
  expect(await count()).toEqual({ ...before, all: before.all + 1 });
  await openFeed(domain, key);
  const read = { all: before.all + 1, readLately: before.readLately + 1 };
  expect(await count()).toEqual(read);
  later(DAY_MS - 1);
  expect(await count()).toEqual(read);
  later(DAY_MS);
  expect(await count()).toEqual({ ...read, readLately: read.readLately - 1 });
});
