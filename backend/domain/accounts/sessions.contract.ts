/** What every place for sessions keeps to, as the processes that share it see it. */
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Domain } from "../domain.ts";
import { endAllSessions, endSession, findSession, forgetOldSessions, keepSession, validSessions } from "./sessions.ts";

/** A process's view of them, with what was published in it. */
interface SessionProcess extends Domain {
  published(topic: "session:ended"): Promise<{ sessionIds: readonly string[] }[]>;
  close(): Promise<void>;
}

/** @param openTwo two processes on one place that is empty */
export function describeSessions(
  named: string,
  openTwo: () => Promise<readonly [SessionProcess, SessionProcess]>,
): void {
  describe.each([named])("sessions in %s", () => {
    let here: SessionProcess;
    let there: SessionProcess;
    beforeEach(async () => {
      [here, there] = await openTwo();
    });
    afterEach(async () => {
      for (const domain of [there, here]) await domain.close();
    });
    const soon = () => new Date(Date.now() + 60_000);
    const past = () => new Date(Date.now() - 1);
    async function kept(userId: string | null, until = soon()): Promise<string> {
      const id = randomUUID();
      await keepSession(here, id, { userId, deviceId: "d", more: { nested: ["kept"] } }, until);
      return id;
    }

    it("are found by every process as they were last written", async () => {
      const id = await kept("u");
      expect(await findSession(there, id)).toMatchObject({
        userId: "u",
        deviceId: "d",
        data: { userId: "u", more: { nested: ["kept"] } },
        endedAt: null,
      });
      await keepSession(there, id, { grant: "under way" }, soon());
      expect(await findSession(here, id)).toMatchObject({ userId: null, data: { grant: "under way" } });
    });

    it("count until their time is up, which moves on with each writing", async () => {
      const [over, lasting] = [await kept("u", past()), await kept("u")];
      expect([await findSession(there, over), await findSession(there, "none")]).toEqual([null, null]);
      expect(await validSessions(there, [over, lasting, "none"])).toEqual(new Set([lasting]));
      await keepSession(here, over, { userId: "u" }, soon());
      expect(await validSessions(there, [over, lasting])).toEqual(new Set([over, lasting]));
    });

    it("once ended are over for every process, even for a request that was under way", async () => {
      const id = await kept("u");
      await Promise.all([
        endSession(here, id),
        ...Array.from({ length: 10 }, () => keepSession(there, id, { userId: "u" }, soon())),
      ]);
      await keepSession(there, id, { userId: "u" }, soon());
      expect([await findSession(here, id), await findSession(there, id)]).toEqual([null, null]);
    });

    it("are one, written for the first time by several at once", async () => {
      const id = randomUUID();
      await Promise.all([here, there, here, there].map((domain) => keepSession(domain, id, { userId: "u" }, soon())));
      expect(await findSession(here, id)).toMatchObject({ userId: "u" });
      expect(await here.sessions.countDocuments()).toBe(1);
    });

    it("of a user end all together and are named to whoever holds their sockets; others' go on", async () => {
      const [one, two, other, nobody] = [await kept("u"), await kept("u"), await kept("v"), await kept(null)];
      await endAllSessions(there, "u");
      expect(await validSessions(here, [one, two, other, nobody])).toEqual(new Set([other, nobody]));
      const published = await there.published("session:ended");
      expect(published.flatMap(({ sessionIds }) => sessionIds).sort()).toEqual([one, two].sort());
      // There is nothing new to say.
      await endAllSessions(there, "u");
      expect(await there.published("session:ended")).toHaveLength(1);
    });

    it("keep nothing of what they knew once ended, and are forgotten when their time is up", async () => {
      const [ended, lasting] = [await kept("u"), await kept("u")];
      await kept("u", past());
      await endSession(here, ended);
      expect(await here.sessions.findById(ended).lean()).toMatchObject({ data: {} });
      expect(await forgetOldSessions(there)).toBe(1);
      expect(await forgetOldSessions(there, new Date(Date.now() + 120_000))).toBe(2);
      expect(await findSession(here, lasting)).toBeNull();
    });
  });
}
