import { randomUUID } from "node:crypto";
import type mongoose from "mongoose";
import type { mongo } from "mongoose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connectToNewDatabase, dropDatabase } from "../testing/test-connection.ts";

type Stored = Record<string, unknown> & { _id: string };

const DUPLICATE_KEY = { code: 11_000 };

let connection: mongoose.Connection;
let stored: mongo.Collection<Stored>;

beforeAll(async () => {
  connection = await connectToNewDatabase();
});
beforeEach(() => {
  stored = connection.collection<Stored>(randomUUID());
});
afterAll(async () => {
  await dropDatabase(connection);
});

describe("unique indexes", () => {
  it("refuse a second document with the same value, by insert, update and upsert", async () => {
    await stored.createIndex({ email: 1 }, { unique: true });
    await stored.insertOne({ _id: "a", email: "a@example.org" });
    await stored.insertOne({ _id: "b", email: "b@example.org" });
    await expect(stored.insertOne({ _id: "c", email: "a@example.org" })).rejects.toMatchObject(DUPLICATE_KEY);
    const change = { $set: { email: "a@example.org" } };
    await expect(stored.updateOne({ _id: "b" }, change)).rejects.toMatchObject(DUPLICATE_KEY);
    await expect(stored.updateOne({ _id: "d" }, change, { upsert: true })).rejects.toMatchObject(DUPLICATE_KEY);
    expect(await stored.find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: "a", email: "a@example.org" },
      { _id: "b", email: "b@example.org" },
    ]);
  });

  it("accept a value again after its document changed or was deleted", async () => {
    await stored.createIndex({ email: 1 }, { unique: true });
    await stored.insertOne({ _id: "a", email: "first" });
    await stored.updateOne({ _id: "a" }, { $set: { email: "second" } });
    await stored.insertOne({ _id: "b", email: "first" });
    await stored.deleteOne({ _id: "a" });
    await stored.insertOne({ _id: "c", email: "second" });
    expect(await stored.find({ email: "second" }).toArray()).toEqual([{ _id: "c", email: "second" }]);
    expect(await stored.countDocuments()).toBe(2);
  });

  it("over several fields refuse equal values of all fields only", async () => {
    await stored.createIndex({ owner: 1, day: 1 }, { unique: true });
    await stored.insertMany([
      { _id: "a", owner: 1, day: new Date(0) },
      { _id: "b", owner: 1, day: new Date(1) },
      { _id: "c", owner: 2, day: new Date(0) },
    ]);
    await expect(stored.insertOne({ _id: "d", owner: 2, day: new Date(0) })).rejects.toMatchObject(DUPLICATE_KEY);
    expect(await stored.findOne({ owner: 1, day: new Date(1) })).toMatchObject({ _id: "b" });
    expect(await stored.countDocuments({ owner: 1 })).toBe(2);
  });

  it("that are sparse accept any number of documents without the field", async () => {
    await stored.createIndex({ place: 1 }, { unique: true, sparse: true });
    await stored.insertMany([{ _id: "a" }, { _id: "b" }, { _id: "c", place: "x" }]);
    await expect(stored.insertOne({ _id: "d", place: "x" })).rejects.toMatchObject(DUPLICATE_KEY);
    await expect(stored.updateOne({ _id: "a" }, { $set: { place: "x" } })).rejects.toMatchObject(DUPLICATE_KEY);
    await stored.updateOne({ _id: "c" }, { $unset: { place: "" } });
    await stored.updateOne({ _id: "a" }, { $set: { place: "x" } });
    expect(await stored.countDocuments({ place: { $exists: false } })).toBe(2);
  });

  it("cannot be created over documents that break them", async () => {
    await stored.insertMany([
      { _id: "a", email: "same" },
      { _id: "b", email: "same" },
    ]);
    await expect(stored.createIndex({ email: 1 }, { unique: true })).rejects.toThrow(/duplicate key/);
  });

  it("let exactly one of many concurrent inserts succeed", async () => {
    await stored.createIndex({ email: 1 }, { unique: true });
    const racing = Array.from({ length: 20 }, (_, n) => stored.insertOne({ _id: `${n}`, email: "same" }));
    const outcomes = await Promise.allSettled(racing);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await stored.countDocuments({ email: "same" })).toBe(1);
  });
});

it("findOneAndUpdate returns each document to exactly one of many concurrent callers", async () => {
  await stored.insertMany(Array.from({ length: 50 }, (_, n) => ({ _id: `${n}`, n, isTaken: false })));
  const take = () => stored.findOneAndUpdate({ isTaken: false }, { $set: { isTaken: true } }, { sort: { n: 1 } });
  const racers = Array.from({ length: 10 }, async () => {
    const taken: string[] = [];
    for (let one = await take(); one !== null; one = await take()) taken.push(one._id);
    return taken;
  });
  const taken = (await Promise.all(racers)).flat();
  expect(taken).toHaveLength(50);
  expect(new Set(taken).size).toBe(50);
});

it("reads, counts and aggregates whole documents while they are being changed", async () => {
  const size = 200;
  await stored.insertMany(Array.from({ length: size }, (_, n) => ({ _id: `${n}`, values: [0, 0], round: 0 })));
  const rounds = 10;
  const isChanging = (async () => {
    for (let round = 1; round <= rounds; round += 1)
      await stored.updateMany({}, { $set: { round, values: [round, round] } });
  })();
  for (let read = 0; read < rounds; read += 1) {
    const found = await stored.find().toArray();
    expect(found).toHaveLength(size);
    expect(found.filter(({ round, values }) => JSON.stringify(values) !== JSON.stringify([round, round]))).toEqual([]);
    expect(await stored.countDocuments({ round: { $gte: 0 } })).toBe(size);
    const sums = await stored.aggregate<{ n: number }>([{ $group: { _id: null, n: { $sum: 1 } } }]).toArray();
    expect(sums).toMatchObject([{ n: size }]);
  }
  await isChanging;
});
