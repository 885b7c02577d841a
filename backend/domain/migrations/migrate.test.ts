import type { Connection } from "mongoose";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ConfigError } from "../../config/config.ts";
import { checkDatabaseVersion } from "../../runtime/database-version.ts";
import { subjectsOf } from "../blocks/subjects.ts";
import { migrate, readDatabaseVersion } from "./migrate.ts";
import { CODE_VERSION, MIGRATIONS, type Migration } from "./migrations.ts";
import { connectToNewDatabase, dropDatabase } from "../../dev/testing/test-connection.ts";

let connection: Connection;
let database: NonNullable<Connection["db"]>;

beforeEach(async () => {
  connection = await connectToNewDatabase();
  if (!connection.db) throw new Error("not connected");
  database = connection.db;
});
afterEach(async () => {
  await dropDatabase(connection);
});

const step = (version: number, run: Migration["run"] = () => Promise.resolve()): Migration => ({
  version,
  name: `step ${version}`,
  run,
});

it("numbers versions without a gap", () => {
  expect(MIGRATIONS.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, index) => index + 1));
});

it("runs each migration once, in order", async () => {
  const ran: number[] = [];
  const migrations = [1, 2, 3].map((version) => step(version, async () => void ran.push(version)));
  expect(await migrate(database, { migrations: migrations.slice(0, 2) })).toHaveLength(2);
  expect(await migrate(database, { migrations })).toHaveLength(1);
  expect(await migrate(database, { migrations })).toEqual([]);
  expect(ran).toEqual([1, 2, 3]);
  expect(await readDatabaseVersion(database)).toBe(3);
});

it("runs in one of several processes at the same moment while the others wait", async () => {
  let runs = 0;
  const slow = step(1, async () => {
    runs += 1;
    await database.collection("marks").insertOne({ at: new Date() });
  });
  const done = await Promise.all(Array.from({ length: 5 }, () => migrate(database, { migrations: [slow] })));
  expect(runs).toBe(1);
  expect(done.flat()).toHaveLength(1);
});

it("runs again after a failure, and after a process that died with the lock", async () => {
  const failing = step(1, () => Promise.reject(new Error("no")));
  await expect(migrate(database, { migrations: [failing] })).rejects.toThrow("no");
  expect(await readDatabaseVersion(database)).toBe(0);
  await database
    .collection<{ _id: string; holder: string; until: Date }>("migration_locks")
    .insertOne({ _id: "lock", holder: "gone", until: new Date(Date.now() + 300) });
  expect(await migrate(database, { migrations: [step(1)] })).toHaveLength(1);
});

it("records no migration after another process has taken the lock", async () => {
  const stolen = step(1, async (db) => {
    await db
      .collection<{ _id: string }>("migration_locks")
      .updateOne({ _id: "lock" }, { $set: { holder: "another process", until: new Date(0) } });
    // The next renewal notices.
    while ((await db.collection("renewals").countDocuments()) < 20) {
      await db.collection("renewals").insertOne({});
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  });
  await expect(migrate(database, { migrations: [stolen], lockMs: 60 })).rejects.toThrow("lock on migrations was taken");
  expect(await readDatabaseVersion(database)).toBe(0);
});

it("version 1 records older tiers as granted and leaves newer records unchanged", async () => {
  const users = database.collection<{ _id: string; tier: string; grantedTier?: string; subscriptionTier?: string }>(
    "users",
  );
  await users.insertMany([
    { _id: "old", tier: "pro" },
    { _id: "new", tier: "pro", grantedTier: "free", subscriptionTier: "pro" },
  ]);
  await migrate(database);
  expect(await users.findOne({ _id: "old" })).toMatchObject({ grantedTier: "pro", subscriptionTier: "free" });
  expect(await users.findOne({ _id: "new" })).toMatchObject({ grantedTier: "free", subscriptionTier: "pro" });
});

it("version 2 gives jobs with copies the codes of their video and hosts", async () => {
  const jobs = database.collection<{ _id: string; [field: string]: unknown }>("jobs");
  const sourceUrl = "https://www.youtube.com/watch?v=dQw4w9WgXcQ";
  await jobs.insertMany([
    { _id: "file", status: "completed", sourceUrl },
    { _id: "picture", status: "failed", thumbnailKey: "a.jpg", sourceUrl },
    { _id: "running", status: "processing", sourceUrl },
    { _id: "without copies", status: "completed", isExpired: true, sourceUrl },
    { _id: "newer", status: "completed", sourceUrl, subjects: ["a"] },
  ]);
  await migrate(database);
  const subjects = subjectsOf(sourceUrl);
  const found = await jobs.find().project({ subjects: 1 }).toArray();
  expect(Object.fromEntries(found.map((job) => [job["_id"], job["subjects"]]))).toEqual({
    file: subjects,
    picture: subjects,
    running: subjects,
    "without copies": undefined,
    newer: ["a"],
  });
});

it("the first process on an empty database migrates it", async () => {
  expect(await checkDatabaseVersion(connection, false)).toBeNull();
  expect(await readDatabaseVersion(database)).toBe(CODE_VERSION);
});

it("one of several processes refuses an older database with a hint; a single process migrates it", async () => {
  await database.collection<{ _id: string }>("users").insertOne({ _id: "a-user" });
  await expect(checkDatabaseVersion(connection, false)).rejects.toThrow(ConfigError);
  await expect(checkDatabaseVersion(connection, false)).rejects.toThrow(/run `npm run migrate`/);
  expect(await checkDatabaseVersion(connection, true)).toBeNull();
  expect(await checkDatabaseVersion(connection, false)).toBeNull();
});

it("a process of an older version accepts a newer database with a warning", async () => {
  await migrate(database, { migrations: [step(CODE_VERSION + 1)] });
  expect(await checkDatabaseVersion(connection, false)).toMatch(/newer code/);
});
