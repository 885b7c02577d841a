import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { text as readText } from "node:stream/consumers";
import mongoose from "mongoose";
import { expect, it, vi } from "vitest";
import { ofFile } from "../../dev/testing/of-file.ts";
import { addEndedJobs } from "../../dev/testing/ended-jobs.ts";
import { openTestDomain, newViewer } from "../../dev/testing/test-domain.ts";
import { deleteAccount, finishDeletions, purgeDeleted } from "./delete-account.ts";
import { signIn } from "./sign-in.ts";
import { changeTier } from "./tier-sources.ts";
import { createConversion } from "../jobs/add-jobs.ts";
import { listJobs } from "../jobs/read-jobs.ts";
import { exportAccount } from "./export-account.ts";
import { endSession, findSession, deleteExpiredSessions, saveSession } from "./sessions.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

const domain = await ofFile(openTestDomain({ listLength: 20 }));

const identity = (name: string) => ({
  issuer: "https://accounts.example",
  subject: name,
  email: `${name}@Example.com`,
  isEmailVerified: true,
});
const inAnHour = () => new Date(Date.now() + 60 * 60 * 1_000);

it("creates one user for twenty simultaneous first sign-ins", async () => {
  const users = await Promise.all(Array.from({ length: 20 }, () => signIn(domain, randomUUID(), identity("racer"))));
  expect(new Set(users.map(({ _id }) => _id)).size).toBe(1);
});

it("creates different users for the same subject of two issuers", async () => {
  const one = await signIn(domain, randomUUID(), identity("twin"));
  const two = await signIn(domain, randomUUID(), { ...identity("twin"), issuer: "https://elsewhere.example" });
  expect(one._id).not.toBe(two._id);
});

it("changes the tier by email address, ignoring case and spaces", async () => {
  const user = await signIn(domain, randomUUID(), identity("payer"));
  expect(await changeTier(domain, " PAYER@example.COM ", "pro")).toEqual({ accounts: 1, unverified: 0, paying: 0 });
  expect(await domain.users.findById(user._id).lean()).toMatchObject({ tier: "pro" });
  expect(await changeTier(domain, "nobody@example.com", "pro")).toEqual({ accounts: 0, unverified: 0, paying: 0 });
});

it("grants Pro by an email address only if it is verified, and takes it back in any case", async () => {
  const owner = await signIn(domain, randomUUID(), identity("shared"));
  const claimant = { ...identity("impostor"), email: "shared@example.com", isEmailVerified: false };
  const impostor = await signIn(domain, randomUUID(), claimant);
  const tiers = async () =>
    Promise.all([owner, impostor].map(async ({ _id }) => (await domain.users.findById(_id).lean())?.tier));
  expect(await changeTier(domain, "shared@example.com", "pro")).toEqual({ accounts: 1, unverified: 1, paying: 0 });
  expect(await tiers()).toEqual(["pro", "free"]);
  // An account by its id needs no address.
  expect(await changeTier(domain, impostor._id, "pro")).toEqual({ accounts: 1, unverified: 0, paying: 0 });
  expect(await tiers()).toEqual(["pro", "pro"]);
  // The provider does not say any more that the address is verified.
  await signIn(domain, randomUUID(), { ...identity("shared"), isEmailVerified: undefined });
  expect(await changeTier(domain, "shared@example.com", "free")).toEqual({ accounts: 2, unverified: 0, paying: 0 });
  expect(await tiers()).toEqual(["free", "free"]);
});

it("keeps the tier at the next sign-in", async () => {
  await signIn(domain, randomUUID(), identity("stays"));
  await changeTier(domain, "stays@example.com", "pro");
  expect(await signIn(domain, randomUUID(), identity("stays"))).toMatchObject({ tier: "pro" });
});

it("hides a deleted account at once and removes its records after 29 days", async () => {
  const viewer = newViewer();
  const user = await signIn(domain, viewer.deviceId, identity("leaver"));
  const owner = { ...viewer, userId: user._id };
  const job = await createConversion(domain, owner, { youtubeUrl: "https://youtu.be/dQw4w9WgXcQ", format: "mp3" });
  await saveSession(domain, "owner-session", { userId: user._id }, inAnHour());
  await deleteAccount(domain, user._id);
  expect(await listJobs(domain, owner)).toEqual([]);
  expect(await findSession(domain, "owner-session")).toBeNull();
  expect(await domain.published("session:ended")).toContainEqual({ sessionIds: ["owner-session"] });
  expect(await domain.published("job:stop")).toContainEqual({ id: job._id, attempt: 1 });
  expect(await domain.users.findById(user._id).lean()).toMatchObject({ email: "", subject: `deleted:${user._id}` });
  expect(await purgeDeleted(domain, new Date(Date.now() + 28 * DAY_MS))).toBe(0);
  // The job, the user and the ended session.
  expect(await purgeDeleted(domain, new Date(Date.now() + 30 * DAY_MS))).toBe(3);
  expect(await domain.sessions.findById("owner-session").lean()).toBeNull();
  expect(await domain.stored(job._id)).toBeNull();
  expect(await domain.users.findById(user._id).lean()).toBeNull();
});

it("finishes an interrupted deletion, once, including jobs that were created during it", async () => {
  const viewer = newViewer();
  const user = await signIn(domain, viewer.deviceId, identity("cut-short"));
  const owner = { ...viewer, userId: user._id };
  await deleteAccount(domain, user._id);
  const late = await createConversion(domain, owner, { youtubeUrl: "https://youtu.be/dQw4w9WgXcQ", format: "mp3" });
  await domain.jobs.updateOne({ _id: late._id }, { $set: { thumbnailKey: "late.1.jpg" } });
  expect(await finishDeletions(domain)).toBe(0);
  const later = new Date(Date.now() + DAY_MS);
  await finishDeletions(domain, later);
  expect(await listJobs(domain, owner)).toEqual([]);
  expect(await domain.published("job:stop")).toContainEqual({ id: late._id, attempt: 1 });
  expect(domain.removedFiles).toContain("late.1.jpg");
  expect(await finishDeletions(domain, later)).toBe(0);
});

it("does not save an ended session again, and deletes it when it expires", async () => {
  const expiresAt = inAnHour();
  await saveSession(domain, "ended", { userId: "u" }, expiresAt);
  await endSession(domain, "ended");
  await saveSession(domain, "ended", { userId: "u" }, expiresAt);
  expect(await findSession(domain, "ended")).toBeNull();
  expect(await deleteExpiredSessions(domain, new Date(expiresAt.getTime() + 1))).toBeGreaterThan(0);
  expect(await domain.sessions.findById("ended").lean()).toBeNull();
});

it("gives all jobs of a device to its user, and publishes those that a list shows", async () => {
  const viewer = newViewer();
  const { listLength } = domain.limits;
  await addEndedJobs(domain, listLength + 5, { deviceId: viewer.deviceId, userId: null });
  const before = (await domain.published("job")).length;
  const user = await signIn(domain, viewer.deviceId, identity("collector"));
  expect(await domain.jobs.countDocuments({ userId: user._id })).toBe(listLength + 5);
  expect((await domain.published("job")).length - before).toBe(listLength);
});

it("exports an account with a long history by cursor, without loading all of it", async () => {
  const viewer = newViewer();
  const user = await signIn(domain, viewer.deviceId, identity("reader"));
  await addEndedJobs(domain, 250, { deviceId: viewer.deviceId, userId: user._id });
  // Loads what a query finds; a cursor does not use it.
  using load = vi.spyOn(mongoose.Query.prototype, "exec");
  const text = await readText(Readable.from(exportAccount(domain, user._id)));
  const loaded = load.mock.contexts.map((query) => (query as { op?: string }).op);
  // The user, and the feed.
  expect(loaded).toEqual(["findOne", "findOne"]);
  const { user: exported, conversions, sessions } = JSON.parse(text) as ExportedAccount;
  expect([exported.email, conversions.length, sessions]).toEqual(["reader@example.com", 250, []]);
});

interface ExportedAccount {
  readonly user: { readonly email: string };
  readonly conversions: readonly unknown[];
  readonly sessions: readonly unknown[];
}
