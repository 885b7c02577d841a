import { describe, expect, it } from "vitest";
import { ConversionError } from "../../../common/errors.ts";
import { besideDomain } from "../../dev/testing/test-domain.ts";
import { followsForTests, NEXT_LOOK_MS, signal, video } from "../../dev/testing/test-follows.ts";
import { changeTier } from "../accounts/tier-sources.ts";
import { changeFollow, listFollows, removeFollow } from "./follows.ts";
import { lookAtNext } from "./looks.ts";

const bench = followsForTests();
const { domain, follow, look, queued, shown, stored } = bench;

describe("a look", () => {
  it("that gets no budget is put off, and no failure", async () => {
    await follow();
    bench.list.failure = "busy";
    await look();
    expect(await shown()).toMatchObject({ state: "put_off", failure: null });
    bench.list.failure = undefined;
    bench.list.add(video(4));
    // Soon: not an hour later.
    await look(12 * 60_000);
    expect([await queued(), (await shown())?.state]).toEqual([["4"], "on"]);
  });

  it("that fails is shown with the reason, and made less and less often", async () => {
    await follow();
    bench.list.failure = new ConversionError("unavailable");
    await look();
    expect(await shown()).toMatchObject({ state: "failing", failure: { code: "unavailable" } });
    expect(await look()).toBe(true);
    expect(await look()).toBe(false);
    bench.list.failure = undefined;
    expect(await look()).toBe(true);
    expect(await shown()).toMatchObject({ state: "on", failure: null });
  });

  it("that fails holds up no video that was found before", async () => {
    await follow({ newest: 1 });
    bench.list.failure = new ConversionError("unavailable");
    await look();
    expect([await queued(), (await shown())?.state]).toEqual([["3"], "failing"]);
  });

  it("is not made in quiet hours", async () => {
    const at = (ms: number) => new Date(bench.now.getTime() + ms).toISOString().slice(11, 16);
    await follow({ quietHours: { from: at(-60_000), to: at(6 * 3_600_000), timeZone: "UTC" } });
    bench.list.add(video(4));
    await look();
    expect([await queued(), bench.list.reads.length]).toEqual([[], 1]);
    expect((await stored())?.nextLookAt?.getTime()).toBeGreaterThan(bench.now.getTime() + 4 * 3_600_000);
    await look(6 * 3_600_000);
    expect(await queued()).toEqual(["4"]);
  });

  it("is not made while it is paused, nor after it was stopped", async () => {
    const { id } = await follow();
    bench.list.add(video(4));
    expect((await changeFollow(domain, bench.viewer, id, { isPaused: true })).state).toBe("paused");
    // A change of settings does not let it go on.
    await changeFollow(domain, bench.viewer, id, { perDay: 3, quietHours: null });
    expect(await look()).toBe(false);
    expect((await changeFollow(domain, bench.viewer, id, { isPaused: false })).state).toBe("on");
    expect(await look()).toBe(true);
    expect(await queued()).toEqual(["4"]);
    await removeFollow(domain, bench.viewer.userId, id);
    expect(await look()).toBe(false);
    await expect(changeFollow(domain, bench.viewer, id, { perDay: 1 })).rejects.toMatchObject({ code: "not_found" });
  });

  it("rests without Pro, and goes on when Pro is back", async () => {
    await follow();
    bench.list.add(video(4));
    await changeTier(domain, bench.viewer.userId, "free");
    await look();
    expect((await listFollows(domain, { ...bench.viewer, tier: "free" }))[0]?.state).toBe("needs_pro");
    expect([await queued(), bench.list.reads.length]).toEqual([[], 1]);
    await changeTier(domain, bench.viewer.userId, "pro");
    await look();
    expect(await queued()).toEqual(["4"]);
  });

  it("ends when the list has been blocked", async () => {
    await follow();
    domain.blocks.replace([{ kind: "host", value: "video.example", until: null }]);
    await look();
    expect([(await shown())?.state, bench.list.reads.length]).toEqual(["blocked", 1]);
  });

  it("stops a channel that is blocked although the link does not name it", async () => {
    await follow();
    bench.list.found = { ...bench.list.found, channelIds: ["videos:Rain"] };
    bench.list.add(video(4));
    domain.blocks.replace([{ kind: "channel", value: "videos:Rain", until: null }]);
    await look();
    expect([(await shown())?.state, await queued()]).toEqual(["blocked", []]);
  });
});

describe("several processes", () => {
  it("look once", async () => {
    await follow();
    bench.list.add(video(4));
    const looks = await Promise.all([look(NEXT_LOOK_MS), look(0, besideDomain(domain)), look(0, besideDomain(domain))]);
    expect(looks.filter(Boolean)).toHaveLength(1);
    expect([await queued(), bench.list.reads.length]).toEqual([["4"], 2]);
  });

  it("go on where one has died between the job and its record", async () => {
    await follow();
    bench.list.add(video(4));
    const dying = besideDomain(domain);
    const tickets = { ...dying.tickets, enqueue: () => Promise.reject(new Error("it dies")) };
    await expect(look(NEXT_LOOK_MS, { ...dying, tickets })).rejects.toThrow("it dies");
    expect((await stored())?.waiting).toHaveLength(1);
    // The lease has not ended yet.
    expect(await look(0)).toBe(false);
    expect(await look(domain.limits.lookLeaseMs)).toBe(true);
    expect(await queued()).toEqual(["4"]);
    expect(await shown()).toMatchObject({ waiting: [], came: [{ title: "Video 4", job: { status: "queued" } }] });
  });

  it("write nothing to a follow that was stopped meanwhile, and take its job back", async () => {
    const { id } = await follow();
    bench.list.add(video(4));
    const tickets = { ...domain.tickets, enqueue: () => removeFollow(domain, bench.viewer.userId, id) };
    await lookAtNext({ ...domain, tickets }, { lists: bench.list, signal, now: new Date(Date.now() + NEXT_LOOK_MS) });
    expect(await domain.follows.countDocuments()).toBe(0);
    expect((await domain.jobs.find().lean()).map(({ status }) => status)).toEqual(["canceled"]);
  });
});
