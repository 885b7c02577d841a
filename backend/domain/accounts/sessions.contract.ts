/** The contract of a session store that several processes share. */
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Domain } from "../domain.ts";
import {
  endAllSessions,
  endSession,
  findSession,
  deleteExpiredSessions,
  saveSession,
  validSessions,
} from "./sessions.ts";

/** One of two processes that share a session store. */
interface SessionProcess extends Domain {
  published(topic: "session:ended"): Promise<{ sessionIds: readonly string[] }[]>;
  close(): Promise<void>;
}

/**
 * Registers the tests.
 * @param named name of the store in the test titles
 * @param openTwo opens two processes on one empty store
 */
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
    async function saved(userId: string | null, until = soon()): Promise<string> {
      const id = randomUUID();
      await saveSession(here, id, { userId, deviceId: "d", more: { nested: ["kept"] } }, until);
      return id;
    }

    it("are read by every process as last saved", async () => {
      const id = await saved("u");
      expect(await findSession(there, id)).toMatchObject({
        userId: "u",
        deviceId: "d",
        data: { userId: "u", more: { nested: ["kept"] } },
        endedAt: null,
      });
      await saveSession(there, id, { grant: "in progress" }, soon());
      expect(await findSession(here, id)).toMatchObject({ userId: null, data: { grant: "in progress" } });
    });

    it("are valid until they expire, and saving extends them", async () => {
      const expired = await saved("u", past());
      const current = await saved("u");
      expect([await findSession(there, expired), await findSession(there, "none")]).toEqual([null, null]);
      expect(await validSessions(there, [expired, current, "none"])).toEqual(new Set([current]));
      await saveSession(here, expired, { userId: "u" }, soon());
      expect(await validSessions(there, [expired, current])).toEqual(new Set([expired, current]));
    });

    it("end at their longest age, however often they are used", async () => {
      const id = await saved("u");
      const ageBy = (ms: number) =>
        here.sessions.updateOne(
          { _id: id },
          { $set: { createdAt: new Date(Date.now() - here.limits.sessionAgeMs + ms) } },
        );
      await ageBy(60_000);
      expect(await findSession(there, id)).not.toBeNull();
      await ageBy(0);
      await saveSession(here, id, { userId: "u" }, soon());
      expect(await findSession(there, id)).toBeNull();
      expect(await validSessions(there, [id])).toEqual(new Set());
    });

    it("stay ended for every process, even if a running request saves them again", async () => {
      const id = await saved("u");
      await Promise.all([
        endSession(here, id),
        ...Array.from({ length: 10 }, () => saveSession(there, id, { userId: "u" }, soon())),
      ]);
      await saveSession(there, id, { userId: "u" }, soon());
      expect([await findSession(here, id), await findSession(there, id)]).toEqual([null, null]);
    });

    it("are created once by simultaneous first saves", async () => {
      const id = randomUUID();
      await Promise.all([here, there, here, there].map((domain) => saveSession(domain, id, { userId: "u" }, soon())));
      expect(await findSession(here, id)).toMatchObject({ userId: "u" });
      expect(await here.sessions.countDocuments()).toBe(1);
    });

    it("of a user end together with one session:ended event; other users' sessions continue", async () => {
      const one = await saved("u");
      const two = await saved("u");
      const other = await saved("v");
      const anonymous = await saved(null);
      await endAllSessions(there, "u");
      expect(await validSessions(here, [one, two, other, anonymous])).toEqual(new Set([other, anonymous]));
      const published = await there.published("session:ended");
      expect(published.flatMap(({ sessionIds }) => sessionIds).sort()).toEqual([one, two].sort());
      // A repetition publishes no second event.
      await endAllSessions(there, "u");
      expect(await there.published("session:ended")).toHaveLength(1);
    });

    it("lose their data when they end, and are deleted when they expire", async () => {
      const ended = await saved("u");
      const current = await saved("u");
      await saved("u", past());
      await endSession(here, ended);
      expect(await here.sessions.findById(ended).lean()).toMatchObject({ data: {} });
      expect(await deleteExpiredSessions(there)).toBe(1);
      expect(await deleteExpiredSessions(there, new Date(Date.now() + 120_000))).toBe(2);
      expect(await findSession(here, current)).toBeNull();
    });
  });
}
