import { randomUUID } from "node:crypto";
import type { Connection } from "mongoose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOUR_MS } from "../../../common/durations.ts";
import { databaseOf } from "./database-of.ts";
import { LeaseStore, type Lease } from "./lease-store.ts";
import { connectToNewDatabase, dropDatabase } from "../../dev/testing/test-connection.ts";

const LONG_MS = 60_000;
const FIELDS = { holder: "holder", until: "until" } as const;

interface StoredAccount {
  _id: string;
  leaseId: string | null;
  leaseUntil: Date;
  isClosed: boolean;
}

let connection: Connection;
beforeAll(async () => {
  connection = await connectToNewDatabase();
});
afterAll(async () => {
  await dropDatabase(connection);
});

const collection = () => databaseOf(connection).collection<Lease>("leases");
const open = (leaseMs = LONG_MS) => new LeaseStore(collection(), { leaseMs, fields: FIELDS });

describe("a lease that is a document of its own", () => {
  it("is acquired by one of twenty holders at the same moment", async () => {
    const id = randomUUID();
    const holders = Array.from({ length: 20 }, (_, n) => `holder-${n}`);
    const acquired = await Promise.all(holders.map((holder) => open().acquire(id, holder, { about: { pid: 1 } })));
    const winners = acquired.flatMap((lease) => lease ?? []);
    expect(winners).toHaveLength(1);
    expect(await open().find(id)).toEqual(winners[0]);
    expect(winners[0]).toMatchObject({ _id: id, about: { pid: 1 } });
  });

  it("is acquired by another holder once it has ended, and then no longer renewed by the first", async () => {
    const id = randomUUID();
    expect(await open(0).acquire(id, "first")).not.toBeNull();
    expect(await open().find(id)).toBeNull();
    expect(await open().acquire(id, "second")).toMatchObject({ holder: "second" });
    expect(await open().renew(id, "first")).toBe(false);
    await open().release(id, "first");
    expect(await open().find(id)).toMatchObject({ holder: "second" });
  });

  it.each([
    [2 * LONG_MS - 5_000, false],
    // Not at the border, which a slow test would cross.
    [2 * LONG_MS + HOUR_MS, true],
  ])("that ends in %d ms, because the clock was set back, has ended: %s", async (aheadMs, hasEnded) => {
    const id = randomUUID();
    await collection().insertOne({ _id: id, holder: "first", until: new Date(Date.now() + aheadMs) });
    expect((await open().find(id)) === null).toBe(hasEnded);
    expect((await open().acquire(id, "second"))?.holder).toBe(hasEnded ? "second" : undefined);
  });

  it("is renewed and released by its holder", async () => {
    const id = randomUUID();
    await open(0).acquire(id, "holder");
    expect(await open().renew(id, "holder")).toBe(true);
    expect(await open().acquire(id, "other")).toBeNull();
    await open().release(id, "holder");
    expect(await collection().findOne({ _id: id })).toBeNull();
  });

  it("is transferred from its holder only while it matches the condition", async () => {
    const id = randomUUID();
    const about = { job: "job-1" };
    await open().acquire(id, "first", { about });
    expect(await open().transfer(id, "first", "second", { about: { job: "job-2" } })).toBe(false);
    expect(await open().transfer(id, "other", "second", { about })).toBe(false);
    expect(await open().transfer(id, "first", "second", { about })).toBe(true);
    expect(await open().find(id)).toMatchObject({ holder: "second", about });
  });

  it("is deleted when it ended long enough ago", async () => {
    const ended = randomUUID();
    const valid = randomUUID();
    await open(-1_000).acquire(ended, "holder");
    await open().acquire(valid, "holder");
    await open().deleteEnded(LONG_MS);
    expect(await collection().countDocuments({ _id: ended })).toBe(1);
    await open().deleteEnded(1_000);
    expect(await collection().countDocuments({ _id: ended })).toBe(0);
    expect(await collection().countDocuments({ _id: valid })).toBe(1);
  });
});

describe("a lease that is part of a document", () => {
  const accounts = () => databaseOf(connection).collection<StoredAccount>("accounts");
  const openAccounts = () =>
    new LeaseStore(accounts(), {
      leaseMs: LONG_MS,
      fields: { holder: "leaseId", until: "leaseUntil" },
      partOf: { isClosed: false },
    });
  const addAccount = async (isClosed = false): Promise<StoredAccount> => {
    const account = { _id: randomUUID(), leaseId: null, leaseUntil: new Date(0), isClosed };
    await accounts().insertOne(account);
    return account;
  };

  it("leaves the document as it was when it is released", async () => {
    const account = await addAccount();
    expect(await openAccounts().acquire(account._id, "holder")).toMatchObject({ leaseId: "holder" });
    expect(await openAccounts().acquire(account._id, "other")).toBeNull();
    await openAccounts().release(account._id, "other");
    expect(await openAccounts().find(account._id)).toMatchObject({ leaseId: "holder" });
    await openAccounts().release(account._id, "holder");
    expect(await accounts().findOne({ _id: account._id })).toEqual(account);
  });

  it("is refused for a document that does not exist or does not match the condition", async () => {
    const missing = randomUUID();
    expect(await openAccounts().acquire(missing, "holder")).toBeNull();
    expect(await accounts().countDocuments({ _id: missing })).toBe(0);
    const closed = await addAccount(true);
    expect(await openAccounts().acquire(closed._id, "holder")).toBeNull();
  });
});
