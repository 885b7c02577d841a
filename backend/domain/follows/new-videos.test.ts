/** What becomes of the videos that a followed list gets. */
import { describe, expect, it } from "vitest";
import { DAY_MS } from "../../../common/durations.ts";
import { MAX_LIST_ENTRIES } from "../../../common/lists.ts";
import { besideDomain } from "../../dev/testing/test-domain.ts";
import { followsForTests, NEXT_LOOK_MS, video, videos } from "../../dev/testing/test-follows.ts";
import { createConversion } from "../jobs/add-jobs.ts";
import { cancelOrRemove } from "../jobs/end-jobs.ts";
import { removeFollow } from "./follows.ts";
import { LOOK_ENTRIES } from "./read-followed.ts";

const bench = followsForTests();
const { domain, follow, look, queued, shown } = bench;

describe("a long list", () => {
  it.each([
    [LOOK_ENTRIES, "is read as a whole, so a video at its end is new", ["0"]],
    [LOOK_ENTRIES + 1, "is not, so one that its site does not count is not", []],
  ])("with %i entries %s", async (count, _, expected) => {
    bench.list.found = { title: "A list", entries: videos(count - 1, 1) };
    await follow();
    bench.list.found = { title: "A list", entries: videos(count - 1, 0) };
    await look();
    expect(await queued()).toEqual(expected);
  });

  it("of 5,000 entries floods nothing: only its front is read, and older ones that move up are not new", async () => {
    bench.list.found = { title: "A list", entries: videos(5_000, 1), statedCount: 5_000 };
    await follow({ perDay: 20 });
    bench.list.found = { title: "A list", entries: [video(5_001), ...videos(4_900, 1)], statedCount: 4_901 };
    await look();
    expect(await queued()).toEqual(["5001"]);
    expect(bench.list.reads.slice(1)).toEqual([LOOK_ENTRIES + 1]);
  });

  it("is read to its end when its site says that it is longer and nothing new is in front", async () => {
    bench.list.found = { title: "A list", entries: videos(300, 1).toReversed(), statedCount: 300 };
    await follow({ perDay: 20 });
    bench.list.found = { title: "A list", entries: videos(302, 1).toReversed(), statedCount: 302 };
    await look();
    await look();
    expect(await queued()).toEqual(["301", "302"]);
    expect(bench.list.reads.slice(1)).toEqual([LOOK_ENTRIES + 1, MAX_LIST_ENTRIES, LOOK_ENTRIES + 1]);
  });

  it("whose videos are all new is converted by the day", async () => {
    await follow({ perDay: 4 });
    bench.list.found = { title: "A list", entries: videos(1_000, 900) };
    await look();
    expect(await queued()).toHaveLength(4);
    await look();
    expect(await queued()).toHaveLength(4);
    await look(DAY_MS);
    expect(await queued()).toHaveLength(8);
  });
});

describe("a new video", () => {
  it("that is a premiere or a stream waits until it is over", async () => {
    await follow();
    bench.list.add(video(5, "upcoming"), video(4, "live"));
    await look();
    expect(await queued()).toEqual([]);
    expect((await shown())?.waiting.map(({ title, problem }) => [title, problem])).toEqual([
      ["Video 4", "live"],
      ["Video 5", "upcoming"],
    ]);
    bench.list.found = { title: "A list", entries: videos(5, 1) };
    await look();
    expect(await queued()).toEqual(["4", "5"]);
  });

  it("that was a premiere when the list was followed comes when it is over", async () => {
    bench.list.add(video(4, "upcoming"));
    await follow();
    bench.list.found = { title: "A list", entries: videos(4, 1) };
    await look();
    expect(await queued()).toEqual(["4"]);
  });

  it("that had not ended is tried again by a later look", async () => {
    await follow();
    bench.list.add(video(4));
    await look();
    const startsAt = new Date(bench.now.getTime() + 2 * NEXT_LOOK_MS).toISOString();
    const reason = { name: "starts_later", startsAt, precision: "hour" };
    await domain.jobs.updateMany({}, { $set: { status: "failed", error: { code: "live", message: "Live", reason } } });
    await look();
    expect((await shown())?.came[0]).toMatchObject({ job: { status: "failed" }, failure: { code: "live" } });
    await look();
    expect((await shown())?.came[0]).toMatchObject({ job: { status: "queued" }, failure: null });
  });

  it("that the user has asked for already is not converted again", async () => {
    await follow();
    bench.list.add(video(4));
    const own = await createConversion(domain, bench.viewer, { youtubeUrl: video(4).link, format: "mp3" });
    await look();
    expect(await queued()).toEqual(["4"]);
    expect((await shown())?.came[0]?.job?.id).toBe(own._id);
  });

  it("that was converted before is converted again once its file is gone", async () => {
    await follow();
    bench.list.add(video(5), video(4));
    for (const name of [5, 4])
      await createConversion(domain, bench.viewer, { youtubeUrl: video(name).link, format: "mp3" });
    const expiresAt = new Date(bench.now.getTime() + NEXT_LOOK_MS);
    const done = { status: "completed", fileKey: "a.mp3", fileSize: 1, isUsageCounted: true };
    await domain.jobs.updateMany({}, { $set: { ...done, expiresAt } });
    await domain.jobs.updateOne(
      { sourceUrl: video(5).link },
      { $set: { expiresAt: new Date(expiresAt.getTime() + 1) } },
    );
    await look();
    expect(await queued()).toEqual(["5", "4", "4"]);
  });

  it("comes again when the list is followed anew and its job was canceled", async () => {
    const { id } = await follow({ newest: 1 });
    await look();
    const [job] = await domain.jobs.find({}, { _id: 1 }).lean<{ _id: string }[]>();
    await removeFollow(domain, bench.viewer.userId, id);
    await cancelOrRemove(domain, bench.viewer, job?._id ?? "");
    await follow({ newest: 1 });
    await look();
    expect(await queued()).toEqual(["3", "3"]);
  });

  it.each([
    [1, 1],
    [2, 1],
    [11, 1],
    [12, 2],
  ])("comes where a user may have %i jobs at once: %i of two", async (pro, count) => {
    await follow();
    bench.list.add(video(5), video(4));
    await look(NEXT_LOOK_MS, besideDomain(domain, { activeJobs: { free: 1, pro } }));
    expect(await queued()).toHaveLength(count);
  });

  it("that is blocked is shown with the reason, and the others come", async () => {
    await follow();
    domain.blocks.replace([{ kind: "video", value: video(4).link, until: null }]);
    bench.list.add(video(5), video(4));
    await look();
    expect(await queued()).toEqual(["5"]);
    expect((await shown())?.came.map(({ title, failure }) => [title, failure?.code])).toEqual([
      ["Video 5", undefined],
      ["Video 4", "blocked"],
    ]);
  });

  it("waits for the next look when a limit refuses it", async () => {
    const few = besideDomain(domain, { activeJobs: { free: 1, pro: 11 } });
    await follow();
    bench.list.add(video(5), video(4));
    await look(NEXT_LOOK_MS, few);
    expect(await queued()).toEqual(["4"]);
    expect((await shown())?.waiting.map(({ title }) => title)).toEqual(["Video 5"]);
    const jobs = await domain.jobs.find({}, { _id: 1 }).lean<{ _id: string }[]>();
    await cancelOrRemove(domain, bench.viewer, jobs[0]?._id ?? "");
    await look(NEXT_LOOK_MS, few);
    expect(await queued()).toEqual(["4", "5"]);
  });
});
