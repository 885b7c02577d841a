/** Contract of the ticket queue: one process adds tickets and others handle them, over each kind of bus. */
import { randomUUID } from "node:crypto";
import type { Connection } from "mongoose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectToNewDatabase, dropDatabase } from "../dev/testing/test-connection.ts";
import type { Bus } from "../domain/bus.ts";
import { openTickets, type Tickets } from "./tickets.ts";

/** Longer than a test: a ticket handled within the test was announced. */
const POLL_MS = 60_000;

/** @param openBus opens the bus of one more process; a bus that serves one process is the same each time */
export function describeTickets(named: string, openBus: () => Promise<Bus>): void {
  describe.each([named])("tickets over %s", () => {
    let connection: Connection;
    beforeAll(async () => {
      connection = await connectToNewDatabase();
    });
    afterAll(async () => {
      await dropDatabase(connection);
    });
    const open = async (pollMs = POLL_MS): Promise<Tickets> =>
      openTickets(connection, await openBus(), {
        name: randomUUID(),
        concurrency: 1,
        lockMs: 60_000,
        pollMs,
        onError: (error) => expect.unreachable(error.message),
      });

    it("are handled at once without polling, each by one worker", async () => {
      const web = await open();
      const one = await open();
      const two = await open();
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
        await web.enqueue({ jobId, site: "a.example", priority: 0 });
        expect(await next).toBe(jobId);
      }
      expect(taken).toEqual(ids);
      await Promise.all([one.stop(), two.stop()]);
    });

    it("are handled without polling as soon as a slot is free", async () => {
      const web = await open();
      const worker = await open();
      for (let n = 0; n < 5; n += 1) await web.enqueue({ jobId: `waiting-${n}`, site: "a.example", priority: 0 });
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

    it("still come when they were locked before a pause, and no others", async () => {
      const web = await open();
      const worker = await open();
      const begun = Promise.withResolvers<void>();
      const mayEnd = Promise.withResolvers<void>();
      const ended = Promise.withResolvers<void>();
      const handled: string[] = [];
      await worker.work(async ({ jobId }) => {
        handled.push(jobId);
        begun.resolve();
        await mayEnd.promise;
        if (handled.length === 2) ended.resolve();
      });
      await web.enqueue({ jobId: "before the pause", site: "a.example", priority: 0 });
      await begun.promise;
      worker.setPaused(true);
      expect(worker.isTicketComing()).toBe(true);
      await web.enqueue({ jobId: "during the pause", site: "a.example", priority: 0 });
      mayEnd.resolve();
      await expect.poll(() => worker.isTicketComing()).toBe(false);
      expect(handled).toEqual(["before the pause"]);
      worker.setPaused(false);
      await ended.promise;
      expect(handled).toEqual(["before the pause", "during the pause"]);
      await worker.stop();
    });

    it("are found by polling when they were added before the worker started", async () => {
      const web = await open();
      const worker = await open(50);
      await web.enqueue({ jobId: "from before", site: "a.example", priority: 0 });
      const taken = Promise.withResolvers<string>();
      await worker.work(({ jobId }) => Promise.resolve(taken.resolve(jobId)));
      expect(await taken.promise).toBe("from before");
      await worker.stop();
    });
  });
}
