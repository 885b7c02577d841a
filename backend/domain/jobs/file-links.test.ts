import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { addJob, completeByWorker } from "../../dev/testing/stored-jobs.ts";
import { besideDomain, domainForTests, newViewer } from "../../dev/testing/test-domain.ts";
import { HOUR_MS, MINUTE_MS } from "../../../common/durations.ts";
import { deleteAccount } from "../accounts/delete-account.ts";
import { signIn } from "../accounts/sign-in.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { cancelOrRemove } from "./end-jobs.ts";
import {
  createFileLink,
  findLinkedJob,
  newLinkKey,
  openLinkedFile,
  readFileLink,
  revokeFileLink,
  revokeFileLinks,
} from "./file-links.ts";
import type { StoredJob } from "./job-model.ts";
import { expireFiles } from "./maintenance.ts";

const domain = domainForTests();
const NOT_FOUND = expect.objectContaining({ code: "not_found" });
const NOW_MS = Date.UTC(2026, 0, 1, 12);

let owner: Viewer;
let job: StoredJob;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW_MS });
  owner = newViewer();
  job = await completeByWorker(domain, await addJob(domain, owner));
});
afterEach(() => void vi.useRealTimers());

const later = (ms: number): void => void vi.setSystemTime(NOW_MS + ms);
const link = (lasts: "once" | "ten_minutes") => createFileLink(domain, owner, job._id, { lasts });
const openedBy = async (key: string, ticket = newLinkKey()) => (await openLinkedFile(domain, key, ticket))?._id;

it("opens the file of its job, and stores no key", async () => {
  const { key, ...shown } = await link("ten_minutes");
  expect(shown).toEqual({
    lasts: "ten_minutes",
    createdAt: new Date(NOW_MS).toISOString(),
    endsAt: new Date(NOW_MS + 10 * MINUTE_MS).toISOString(),
    opened: 0,
  });
  expect(await openedBy(key)).toBe(job._id);
  expect(JSON.stringify(await domain.stored(job._id))).not.toContain(key);
  for (const wrong of [newLinkKey(), "", key.toLowerCase(), `${key}a`]) expect(await openedBy(wrong)).toBeUndefined();
});

it("is opened once, however many ask at once and in several processes", async () => {
  const { key } = await link("once");
  const processes = [domain, besideDomain(domain)];
  const tickets = Array.from({ length: 8 }, newLinkKey);
  const opened = await Promise.all(
    tickets.map((ticket, index) => openLinkedFile(processes[index % 2] ?? domain, key, ticket)),
  );
  expect(opened.filter((found) => found !== null)).toHaveLength(1);
  expect(await readFileLink(domain, owner, job._id)).toMatchObject({ opened: 1 });
  expect(await findLinkedJob(domain, key)).toBeNull();
});

it("goes on for ten minutes with the ticket of its one opening, which counts once", async () => {
  const { key } = await link("once");
  later(30 * MINUTE_MS);
  const ticket = newLinkKey();
  const connections = await Promise.all(Array.from({ length: 4 }, () => openedBy(key, ticket)));
  expect(connections).toEqual(Array.from({ length: 4 }, () => job._id));
  later(40 * MINUTE_MS - 1);
  expect(await openedBy(key, ticket)).toBe(job._id);
  expect(await readFileLink(domain, owner, job._id)).toMatchObject({
    opened: 1,
    endsAt: new Date(NOW_MS + 40 * MINUTE_MS).toISOString(),
  });
  later(40 * MINUTE_MS);
  expect(await openedBy(key, ticket)).toBeUndefined();
});

it("is not opened by a look at its page", async () => {
  const { key } = await link("once");
  for (const ticket of [undefined, newLinkKey()])
    expect(await findLinkedJob(domain, key, ticket)).toMatchObject({ _id: job._id });
  expect(await readFileLink(domain, owner, job._id)).toMatchObject({ opened: 0 });
  expect(await openedBy(key)).toBe(job._id);
});

it("for ten minutes is opened by many, a hundred at most, and then ends", async () => {
  const { key } = await link("ten_minutes");
  later(10 * MINUTE_MS - 1);
  for (const _ of [1, 2, 3]) expect(await openedBy(key)).toBe(job._id);
  expect(await readFileLink(domain, owner, job._id)).toMatchObject({ opened: 3 });
  await domain.jobs.updateOne({ _id: job._id }, { $set: { "fileLink.opened": 99 } });
  expect(await openedBy(key)).toBe(job._id);
  expect(await openedBy(key)).toBeUndefined();
  await domain.jobs.updateOne({ _id: job._id }, { $set: { "fileLink.opened": 3 } });
  later(10 * MINUTE_MS);
  expect(await openedBy(key)).toBeUndefined();
  expect(await findLinkedJob(domain, key)).toBeNull();
});

it("ends with the retention of the file, at the latest", async () => {
  later(HOUR_MS - MINUTE_MS);
  const { key, endsAt } = await link("ten_minutes");
  expect(endsAt).toBe(new Date(NOW_MS + HOUR_MS).toISOString());
  expect(await openedBy(key)).toBe(job._id);
  later(HOUR_MS);
  expect(await openedBy(key)).toBeUndefined();
  await expireFiles(domain);
  await expect(link("once")).rejects.toThrow(NOT_FOUND);
});

it.each<[string, () => Promise<unknown>]>([
  ["is revoked", () => revokeFileLink(domain, owner, job._id)],
  ["is replaced by another one", () => link("once")],
  ["loses its file", () => cancelOrRemove(domain, owner, job._id)],
  ["was in a backup that is restored", () => revokeFileLinks(domain)],
  ["is of a video that is blocked", () => domain.jobs.updateOne({ _id: job._id }, { $set: { isBlocked: true } })],
])("opens nothing any more when it %s", async (_, end) => {
  const { key } = await link("ten_minutes");
  const ticket = newLinkKey();
  expect(await openedBy(key, ticket)).toBe(job._id);
  await end();
  expect(await openedBy(key, ticket)).toBeUndefined();
  expect(await openedBy(key)).toBeUndefined();
});

it("opens nothing while its owner, or the host of the video, is blocked", async () => {
  const { key } = await link("ten_minutes");
  for (const entry of [
    { kind: "device", value: owner.deviceId },
    { kind: "host", value: "video.example" },
  ] as const) {
    domain.blocks.replace([{ ...entry, until: null, also: [] }]);
    expect(await openedBy(key)).toBeUndefined();
    domain.blocks.replace([]);
    expect(await openedBy(key)).toBe(job._id);
  }
});

it("ends with the account of its owner, before the file is deleted", async () => {
  const claims = { issuer: "https://issuer", subject: "one", email: "one@example.org" };
  const user = await signIn(domain, owner.deviceId, claims);
  owner = { ...owner, userId: user._id };
  const { key } = await link("ten_minutes");
  expect(await openedBy(key)).toBe(job._id);
  await deleteAccount(domain, user._id);
  expect((await domain.stored(job._id))?.fileLink).toBeUndefined();
  expect(await openedBy(key)).toBeUndefined();
});

it("is made, read and revoked by the owner of a completed job only", async () => {
  await link("once");
  const stranger = newViewer();
  await expect(createFileLink(domain, stranger, job._id, { lasts: "once" })).rejects.toThrow(NOT_FOUND);
  await expect(readFileLink(domain, stranger, job._id)).rejects.toThrow(NOT_FOUND);
  await expect(revokeFileLink(domain, stranger, job._id)).rejects.toThrow(NOT_FOUND);
  expect(await readFileLink(domain, owner, job._id)).toMatchObject({ opened: 0 });
  await revokeFileLink(domain, owner, job._id);
  await revokeFileLink(domain, owner, job._id);
  expect(await readFileLink(domain, owner, job._id)).toBeNull();
  const waiting = await addJob(domain, owner, "b");
  await expect(createFileLink(domain, owner, waiting._id, { lasts: "once" })).rejects.toThrow(NOT_FOUND);
});
