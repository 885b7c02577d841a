import { describe, expect, it } from "vitest";
import { TIERS } from "../../../common/tiers.ts";
import { followsForTests, LIST, video } from "../../dev/testing/test-follows.ts";
import { deleteAccount } from "../accounts/delete-account.ts";
import { exportAccount } from "../accounts/export-account.ts";
import { changeFollow, listFollows, removeFollow } from "./follows.ts";

const bench = followsForTests();
const { domain, follow, look, queued, shown } = bench;

describe("following a list", () => {
  it("converts nothing that the list has already", async () => {
    await expect(follow()).resolves.toMatchObject({ title: "Rain of a year", state: "on", waiting: [], came: [] });
    await look();
    expect(await queued()).toEqual([]);
  });

  it("converts the newest of them that are asked for, at once and without another read", async () => {
    await follow({ newest: 2 });
    await look(1_000);
    expect(await queued()).toEqual(["2", "3"]);
    expect(bench.list.reads).toHaveLength(1);
    expect((await shown())?.came.map(({ title }) => title)).toEqual(["Video 3", "Video 2"]);
  });

  it("converts each new video once, the oldest first", async () => {
    await follow();
    bench.list.add(video(5), video(4));
    await look();
    await look();
    expect(await queued()).toEqual(["4", "5"]);
  });

  it.each([
    ["a list that is followed already", "conflict"],
    ["a list that is blocked", "blocked"],
    ["a list of a blocked channel", "blocked"],
    ["a free account", "pro_required"],
  ])("refuses %s", async (what, code) => {
    if (code === "conflict") await follow();
    if (what.endsWith("blocked")) domain.blocks.replace([{ kind: "host", value: "video.example", until: null }]);
    bench.list.found = { ...bench.list.found, channelIds: ["videos:Rain"] };
    if (what.includes("channel")) domain.blocks.replace([{ kind: "channel", value: "videos:Rain", until: null }]);
    if (what.startsWith("a free")) Object.assign(bench.viewer, { tier: "free" });
    await expect(follow()).rejects.toMatchObject({ code });
  });

  it("follows as many lists as the plan has, also when they are asked for at the same moment", async () => {
    const most = TIERS.pro.maxFollows;
    const answers = await Promise.allSettled(
      Array.from({ length: most + 1 }, (_, index) => follow({ url: `${LIST}${index}` })),
    );
    const refused = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason as unknown] : []));
    expect(refused).toEqual([expect.objectContaining({ code: "conflict" })]);
    expect(await domain.follows.countDocuments()).toBe(most);
  });
});

describe("the account", () => {
  it("has its follows in its export, without codes of videos", async () => {
    await follow();
    let text = "";
    for await (const piece of exportAccount(domain, bench.viewer.userId)) text += piece;
    const { follows } = JSON.parse(text) as { follows: Record<string, unknown>[] };
    expect(follows).toEqual([expect.objectContaining({ link: LIST, title: "Rain of a year", perDay: 5 })]);
    expect(follows[0]).not.toHaveProperty("seen");
  });

  it("takes them along when it is deleted", async () => {
    await follow();
    await deleteAccount(domain, bench.viewer.userId);
    expect([await domain.follows.countDocuments(), await look()]).toEqual([0, false]);
  });

  it("does not see those of others", async () => {
    const { id } = await follow();
    const other = await bench.signUp("other@example.org");
    expect(await listFollows(domain, other)).toEqual([]);
    await expect(changeFollow(domain, other, id, { isPaused: true })).rejects.toMatchObject({ code: "not_found" });
    await expect(removeFollow(domain, other.userId, id)).rejects.toMatchObject({ code: "not_found" });
  });
});
