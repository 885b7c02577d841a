import { randomUUID } from "node:crypto";
import * as fc from "fast-check";
import mongoose, { type mongo } from "mongoose";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { openJobModel } from "../../domain/job-model.ts";
import { QUERY_SHAPES } from "../../domain/query-shapes.ts";

type Stored = Record<string, unknown> & { _id: string };
type Jobs = mongo.Collection<Stored>;

const DAYS = [0, 1, 2, 3].map((day) => new Date(Date.UTC(2026, 0, 1 + day)));
const STATUSES = ["queued", "pending", "processing", "completed", "failed"];
const WORDS = ["a", "b", "c"];

/** Few values, so that queries find something, and some of another kind than the field is made for. */
const odd = fc.constantFrom<unknown>(null, ["a", "b"], [], { a: 1 }, 1, 2.5, Number.NaN, true, DAYS[1], [DAYS[0], DAYS[3]]);
const word = fc.oneof({ weight: 8, arbitrary: fc.constantFrom<unknown>(...WORDS, null) }, { weight: 1, arbitrary: odd });
const day = fc.oneof({ weight: 8, arbitrary: fc.constantFrom<unknown>(...DAYS, null) }, { weight: 1, arbitrary: odd });
const flag = fc.constantFrom<unknown>(true, false, null);

const FIELDS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  deviceId: fc.constantFrom(...WORDS),
  userId: fc.constantFrom(null, ...WORDS),
  status: fc.constantFrom(...STATUSES),
  batchId: word,
  conversionKey: word,
  fileKey: word,
  thumbnailKey: word,
  isExpired: flag,
  isUsageCounted: flag,
  isRepeat: flag,
  attempt: fc.constantFrom<unknown>(1, 2, 2.5, mongoose.mongo.Long.fromNumber(1)),
  createdAt: fc.constantFrom(...DAYS),
  updatedAt: fc.constantFrom(...DAYS),
  leaseExpiresAt: day,
  expiresAt: day,
  completedAt: day,
  deletedAt: day,
  "data.jobId": word,
  sparse: word,
};
const NAMES = Object.keys(FIELDS);
const IDS = Array.from({ length: 60 }, (_, index) => `job-${String((index * 37) % 60).padStart(2, "0")}`);
const valueOf = (field: string): fc.Arbitrary<unknown> => (field === "_id" ? fc.constantFrom(...IDS) : (FIELDS[field] ?? word));

const document: fc.Arbitrary<Record<string, unknown>> = fc
  .record(Object.fromEntries(NAMES.map((name) => [name, valueOf(name)])), { requiredKeys: ["deviceId", "status", "createdAt"] })
  .map(({ "data.jobId": jobId, ...fields }) => ({ ...fields, ...(jobId === undefined ? {} : { data: { jobId } }) }));

/** A filter of the product with other values. */
function varied(filter: unknown, field = ""): fc.Arbitrary<unknown> {
  if (Array.isArray(filter)) return field === "$or" ? fc.tuple(...filter.map((half) => varied(half))) : fc.array(valueOf(field), { minLength: 1, maxLength: 3 });
  if (typeof filter !== "object" || filter === null || filter instanceof Date) return filter === null ? fc.constant(null) : valueOf(field);
  const entries = Object.entries(filter).map(([key, value]) => [key, varied(value, key.startsWith("$") && key !== "$or" ? field : key)] as const);
  return fc.record(Object.fromEntries(entries));
}
const shapes = QUERY_SHAPES.filter(({ collection }) => collection === "jobs" || collection === "tickets");
const askedByProduct = fc.constantFrom(...shapes).chain(({ filter }) => varied(filter));

const condition = fc.constantFrom(...NAMES, "_id").chain((field) => {
  const value = valueOf(field);
  const bounds = fc.dictionary(fc.constantFrom("$gt", "$gte", "$lt", "$lte", "$ne", "$eq"), value, { minKeys: 1, maxKeys: 2 });
  const lists = fc.dictionary(fc.constantFrom("$in", "$nin"), fc.array(value, { minLength: 1, maxLength: 4 }), { minKeys: 1, maxKeys: 1 });
  return fc.oneof(value, bounds, lists, fc.record({ $exists: fc.boolean() })).map((asked) => ({ [field]: asked }));
});
const conditions = fc.array(condition, { minLength: 1, maxLength: 3 });
const anyFilter = fc.oneof(
  conditions.map((all) => Object.assign({}, ...all) as object),
  conditions.map(($and) => ({ $and })),
  fc.tuple(conditions, condition).map(([$or, more]) => ({ $or, ...more })),
);
const filter = fc.oneof(askedByProduct, anyFilter).map((asked) => asked as mongo.Filter<Stored>);

const sortFields = ["createdAt", "updatedAt", "expiresAt", "completedAt", "attempt", "status", "data.jobId"];
const sort = fc.option(
  fc.uniqueArray(fc.constantFrom(...sortFields), { minLength: 1, maxLength: 2 }).chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, fc.constantFrom<1 | -1>(1, -1)])))),
  { nil: {} },
);
const change = fc.constantFrom(...NAMES.filter((name) => name !== "data.jobId")).chain((name) =>
  fc.oneof(valueOf(name).map((value) => ({ $set: { [name]: value } })), fc.constant({ $unset: { [name]: "" } })),
);

/** The same asked of either collection, and what comes of it. */
type Step = (jobs: Jobs) => Promise<unknown>;
const { record, nat } = fc;
const steps: fc.Arbitrary<{ toString(): string; step: Step }> = fc.oneof(
  { weight: 5, arbitrary: record({ filter, sort, skip: nat(3), limit: nat(5) }).map((ask) => named("find", ask, ({ filter, ...options }) => (jobs) => jobs.find(filter, options).toArray())) },
  { weight: 2, arbitrary: record({ filter }).map((ask) => named("count", ask, ({ filter }) => (jobs) => jobs.countDocuments(filter))) },
  record({ filter, field: fc.constantFrom(...NAMES) }).map((ask) => named("distinct", ask, ({ filter, field }) => (jobs) => jobs.distinct(field, filter))),
  record({ filter, change }).map((ask) => named("updateOne", ask, ({ filter, change }) => (jobs) => jobs.updateOne(filter, change))),
  record({ filter, change }).map((ask) => named("updateMany", ask, ({ filter, change }) => (jobs) => jobs.updateMany(filter, change))),
  record({ filter, sort, change }).map((ask) => named("findOneAndUpdate", ask, ({ filter, sort, change }) => (jobs) => jobs.findOneAndUpdate(filter, change, { sort, returnDocument: "after" }))),
  record({ filter }).map((ask) => named("deleteOne", ask, ({ filter }) => (jobs) => jobs.deleteOne(filter))),
  record({ id: fc.constantFrom(...IDS), document }).map((ask) =>
    named("replace", ask, ({ id, document }) => (jobs) => jobs.replaceOne({ _id: id }, document, { upsert: true })),
  ),
);

/** With its question as its name, for when it goes wrong. */
function named<Ask>(name: string, ask: Ask, make: (ask: Ask) => Step): { toString(): string; step: Step } {
  return { toString: () => `${name}(${JSON.stringify(ask)})`, step: make(ask) };
}

async function outcome(work: Promise<unknown>): Promise<unknown> {
  return await work.catch((error: unknown) => (error instanceof mongoose.mongo.MongoServerError ? { code: error.code } : Promise.reject(error)));
}

let connection: mongoose.Connection;
const collection = (name: string): Jobs => connection.collection<Stored>(name);

beforeAll(async () => {
  connection = await mongoose.createConnection(`${inject("mongodbUri").replace(/\/$/, "")}/test-${randomUUID()}`).asPromise();
});
afterAll(async () => {
  await connection.dropDatabase();
  await connection.close();
});

const isJava = async (): Promise<boolean> => (await connection.db?.admin().serverStatus())?.["process"] === "java";

it("finds, sorts, changes and removes with indexes what a scan would", async (context) => {
  if (!(await isJava())) return context.skip("another server's indexes are its own affair");
  await openJobModel(connection);
  const [indexed, scanned] = [collection("jobs"), collection("scanned")];
  await indexed.createIndex({ "data.jobId": 1 });
  await indexed.createIndex({ sparse: 1 }, { sparse: true });
  await indexed.createIndex({ status: 1, updatedAt: -1, attempt: 1 });
  await indexed.createIndex({ attempt: 1, _id: 1 }, { unique: true });
  await fc.assert(
    fc.asyncProperty(fc.array(document, { minLength: 30, maxLength: 50 }), fc.array(steps, { minLength: 25, maxLength: 40 }), async (documents, asked) => {
      const stored = documents.map((fields, index): Stored => ({ ...fields, _id: IDS[index] ?? "" }));
      for (const jobs of [indexed, scanned]) {
        await jobs.deleteMany({});
        await jobs.insertMany(stored);
      }
      for (const ask of asked) expect([ask.toString(), await outcome(ask.step(indexed))]).toEqual([ask.toString(), await outcome(ask.step(scanned))]);
      const all = [indexed, scanned].map((jobs) => jobs.find().sort({ _id: 1 }).toArray());
      expect(await all[0]).toEqual(await all[1]);
    }),
    { numRuns: 12 },
  );
});
