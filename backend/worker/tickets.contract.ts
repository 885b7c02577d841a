/** The queue of tickets with one process that puts them in and others that take them out, whatever bus joins them. */
import { randomUUID } from "node:crypto";
import mongoose, { type Connection } from "mongoose";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { Bus } from "../domain/bus.ts";
import { openTickets, type Tickets } from "./tickets.ts";

/** So long that whoever is quicker was told. */
const POLL_MS = 60_000;

/** @param openBus of a process of its own, or the same each time where there is only one */
export function describeTickets(named: string, openBus: () => Promise<Bus>): void {
  describe.each([named])("tickets over %s", () => {
    let connection: Connection;
    beforeAll(async () => {
      connection = await mongoose
        .createConnection(`${inject("mongodbUri").replace(/\/$/, "")}/test-${randomUUID()}`)
        .asPromise();
    });
    afterAll(async () => {
      await connection.dropDatabase();
      await connection.close();
    });
    const open = async (pollMs = POLL_MS): Promise<Tickets> =>
      openTickets(connection, await openBus(), {
        name: randomUUID(),
        concurrency: 1,
        lockMs: 60_000,
        pollMs,
        onError: (error) => expect.unreachable(error.message),
      });

    it("are picked up at once, each by one worker, though nobody looks for a minute", async () => {
      const [web, one, two] = [await open(), await open(), await open()];
      const taken: string[] = [];
      let onTaken: (jobId: string) => void = () => undefined;
      for (const worker of [one, two])
        await worker.work(({ jobId }) => {
          taken.push(jobId);
          onTaken(jobId);
          return Promise.resolve();
        });
      const ids = [...Array(10).keys()].map((n) => `job-${n}`);
      for (const jobId of ids) {
        const next = new Promise<string>((resolve) => {
          onTaken = resolve;
        });
        await web.enqueue({ jobId, priority: 0 });
        expect(await next).toBe(jobId);
      }
      expect(taken).toEqual(ids);
      await Promise.all([one.stop(), two.stop()]);
    });

    it("take a place as soon as it is free, though nobody looks for a minute", async () => {
      const [web, worker] = [await open(), await open()];
      for (let n = 0; n < 5; n += 1) await web.enqueue({ jobId: `waiting-${n}`, priority: 0 });
      const taken: string[] = [];
      const all = Promise.withResolvers<void>();
      await worker.work(({ jobId }) => {
        if (taken.push(jobId) === 5) all.resolve();
        return Promise.resolve();
      });
      await all.promise;
      expect(taken.toSorted()).toEqual([0, 1, 2, 3, 4].map((n) => `waiting-${n}`));
      await worker.stop();
    });

    it("that nobody was told of are found by looking", async () => {
      const [web, worker] = [await open(), await open(50)];
      await web.enqueue({ jobId: "from before", priority: 0 });
      const taken = Promise.withResolvers<string>();
      await worker.work(({ jobId }) => Promise.resolve(taken.resolve(jobId)));
      expect(await taken.promise).toBe("from before");
      await worker.stop();
    });
  });
}
