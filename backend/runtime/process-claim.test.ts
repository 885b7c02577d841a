import mongoose from "mongoose";
import { describe, expect, it } from "vitest";
import { testDatabaseUri } from "../dev/testing/test-connection.ts";
import { every } from "../domain/every.ts";
import { claimDatabase } from "./process-claim.ts";
import { nameThisProcess, type ProcessName } from "./this-process.ts";

describe("the claim of a process of another machine", () => {
  const elsewhere: ProcessName = { ...nameThisProcess(), machine: "another one", host: "elsewhere" };
  const open = async () => {
    const connection = await mongoose.createConnection(testDatabaseUri()).asPromise();
    const claims = connection.collection<{ _id: string; holder: string; about: ProcessName; until: Date }>("processes");
    const claim = () =>
      claimDatabase(connection, { holder: "us", isSingleProcess: true, leaseMs: 60_000, onError: () => undefined });
    return { claims, claim, [Symbol.asyncDispose]: () => connection.close() };
  };

  it("makes a start wait until its lease has ended", async () => {
    await using database = await open();
    await database.claims.insertOne({
      _id: "alone",
      holder: "them",
      about: elsewhere,
      until: new Date(Date.now() + 300),
    });
    const ours = await database.claim();
    expect(await database.claims.find().toArray()).toMatchObject([{ _id: "alone", holder: "us" }]);
    await ours.release();
    expect(await database.claims.countDocuments()).toBe(0);
  });

  it("does not make a start wait when it ends an hour from now, because the clock was set back since", async () => {
    await using database = await open();
    const until = new Date(Date.now() + 3_600_000);
    await database.claims.insertOne({ _id: "alone", holder: "them", about: elsewhere, until });
    const ours = await database.claim();
    expect(await database.claims.find().toArray()).toMatchObject([{ _id: "alone", holder: "us" }]);
    await ours.release();
  });

  it("makes a start fail when its lease is renewed", async () => {
    await using database = await open();
    await database.claims.insertOne({
      _id: "alone",
      holder: "them",
      about: elsewhere,
      until: new Date(Date.now() + 60_000),
    });
    const claimed = database.claim().then(() => "claimed", String);
    const extend = async () =>
      void (await database.claims.updateOne({ _id: "alone" }, { $set: { until: new Date(Date.now() + 60_000) } }));
    const extending = every(50, extend, () => undefined);
    expect(await claimed).toMatch(/\(process \d+ on elsewhere\)/);
    await extending.stop();
  });
});
