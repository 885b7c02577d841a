/** Tests that every implementation of the bus must pass. */
import { describe, expect, it } from "vitest";
import type { Bus, BusEvents, Topic } from "./bus.ts";

/**
 * @param open opens the bus of a new process
 * @param isAlone true when a bus reaches no other process
 */
export function describeBus(name: string, { open, isAlone }: { open: () => Promise<Bus>; isAlone: boolean }): void {
  const next = <T extends Topic>(bus: Bus, topic: T) =>
    new Promise<BusEvents[T]>((resolve) => {
      const unsubscribe = bus.subscribe(topic, (message) => {
        unsubscribe();
        resolve(message);
      });
    });
  const CANCELED = { id: "job-1", attempt: 2 };

  describe.each([name])("%s", () => {
    it("delivers a copy to every subscriber of the topic and to no other", async () => {
      const bus = await open();
      const one = next(bus, "job:stop");
      const two = next(bus, "job:stop");
      const unexpected: unknown[] = [];
      bus.subscribe("device:changed", (message) => unexpected.push(message));
      const message = { ...CANCELED };
      bus.publish("job:stop", message);
      message.attempt = 3;
      expect(await Promise.all([one, two])).toEqual([CANCELED, CANCELED]);
      expect(unexpected).toEqual([]);
      await bus.close();
    });

    it("delivers each message once, in order of publication, and after the call of publish has returned", async () => {
      const bus = await open();
      const received: number[] = [];
      const done = new Promise<void>((resolve) => {
        bus.subscribe("job:stop", ({ attempt }) => {
          received.push(attempt);
          if (attempt === 99) resolve();
        });
      });
      for (let attempt = 0; attempt < 100; attempt += 1) bus.publish("job:stop", { id: "a", attempt });
      expect(received).toEqual([]);
      await done;
      expect(received).toEqual([...Array(100).keys()]);
      await bus.close();
    });

    it("delivers nothing after unsubscribing or closing", async () => {
      const bus = await open();
      const received: unknown[] = [];
      bus.subscribe("job:stop", (message) => received.push(message))();
      const delivered = next(bus, "job:stop");
      bus.publish("job:stop", CANCELED);
      await delivered;
      bus.subscribe("device:changed", (message) => received.push(message));
      await bus.close();
      bus.publish("device:changed", { deviceId: "d" });
      await new Promise((resolve) => setImmediate(resolve));
      expect(received).toEqual([]);
    });

    if (isAlone) return;

    it("delivers a shared event to other processes, and once to subscribers in the publisher's process", async () => {
      const here = await open();
      const there = await open();
      const received: string[] = [];
      here.subscribe("session:ended", ({ sessionIds }) => received.push(...sessionIds));
      const first = next(there, "session:ended");
      here.publish("session:ended", { sessionIds: ["one"] });
      expect(await first).toEqual({ sessionIds: ["one"] });
      // Messages keep their order, so a second copy of the event would arrive before this answer.
      const answered = next(here, "job:adopted");
      there.publish("job:adopted", { id: "j", userId: "u" });
      await answered;
      expect(received).toEqual(["one"]);
      await Promise.all([here.close(), there.close()]);
    });

    it("keeps local events within the publisher's process", async () => {
      const here = await open();
      const there = await open();
      const unexpected: unknown[] = [];
      there.subscribe("job:removed", (message) => unexpected.push(message));
      const delivered = next(here, "job:removed");
      const after = next(there, "device:changed");
      here.publish("job:removed", { audience: { deviceId: "d" }, id: "j" });
      here.publish("device:changed", { deviceId: "d" });
      expect(await delivered).toEqual({ audience: { deviceId: "d" }, id: "j" });
      await after;
      expect(unexpected).toEqual([]);
      await Promise.all([here.close(), there.close()]);
    });
  });
}
