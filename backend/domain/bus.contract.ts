/** What every bus keeps to, whatever carries its words. */
import { describe, expect, it } from "vitest";
import type { Bus, BusMessages, Topic } from "./bus.ts";

/** @param open a bus for a process of its own; those that know no others say so by `isAlone` */
export function describeBus(named: string, { open, isAlone }: { open: () => Promise<Bus>; isAlone: boolean }): void {
  const next = <T extends Topic>(bus: Bus, topic: T) =>
    new Promise<BusMessages[T]>((resolve) => {
      const unsubscribe = bus.subscribe(topic, (message) => {
        unsubscribe();
        resolve(message);
      });
    });
  const WORD = { id: "job-1", attempt: 2 };

  describe.each([named])("%s", () => {
    it("delivers a copy to every subscriber of the topic and to no other", async () => {
      const bus = await open();
      const [one, two] = [next(bus, "job:canceled"), next(bus, "job:canceled")];
      const strange: unknown[] = [];
      bus.subscribe("device:changed", (message) => strange.push(message));
      const said = { ...WORD };
      bus.publish("job:canceled", said);
      said.attempt = 3;
      expect(await Promise.all([one, two])).toEqual([WORD, WORD]);
      expect(strange).toEqual([]);
      await bus.close();
    });

    it("delivers once each, in order of publication, and never within the publisher's own call", async () => {
      const bus = await open();
      const heard: number[] = [];
      const done = new Promise<void>((resolve) => {
        bus.subscribe("job:canceled", ({ attempt }) => {
          heard.push(attempt);
          if (attempt === 99) resolve();
        });
      });
      for (let attempt = 0; attempt < 100; attempt += 1) bus.publish("job:canceled", { id: "a", attempt });
      expect(heard).toEqual([]);
      await done;
      expect(heard).toEqual([...Array(100).keys()]);
      await bus.close();
    });

    it("says nothing more to those who have unsubscribed, nor after it is closed", async () => {
      const bus = await open();
      const heard: unknown[] = [];
      bus.subscribe("job:canceled", (message) => heard.push(message))();
      const told = next(bus, "job:canceled");
      bus.publish("job:canceled", WORD);
      await told;
      bus.subscribe("device:changed", (message) => heard.push(message));
      await bus.close();
      bus.publish("device:changed", { deviceId: "d" });
      await new Promise((resolve) => setImmediate(resolve));
      expect(heard).toEqual([]);
    });

    if (isAlone) return;

    it("reaches the other processes too, the speaker's own subscribers once", async () => {
      const [here, there] = [await open(), await open()];
      const heard: string[] = [];
      here.subscribe("session:ended", ({ sessionIds }) => heard.push(...sessionIds));
      const first = next(there, "session:ended");
      here.publish("session:ended", { sessionIds: ["one"] });
      expect(await first).toEqual({ sessionIds: ["one"] });
      // An answer, which comes after whatever else was to come.
      const answered = next(here, "job:adopted");
      there.publish("job:adopted", { id: "j", userId: "u" });
      await answered;
      expect(heard).toEqual(["one"]);
      await Promise.all([here.close(), there.close()]);
    });

    it("keeps news within the process they come from", async () => {
      const [here, there] = [await open(), await open()];
      const strange: unknown[] = [];
      there.subscribe("job:removed", (message) => strange.push(message));
      const told = next(here, "job:removed");
      const after = next(there, "device:changed");
      here.publish("job:removed", { audience: { deviceId: "d" }, id: "j" });
      here.publish("device:changed", { deviceId: "d" });
      expect(await told).toEqual({ audience: { deviceId: "d" }, id: "j" });
      await after;
      expect(strange).toEqual([]);
      await Promise.all([here.close(), there.close()]);
    });
  });
}
