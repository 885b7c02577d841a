/** Followed lists of a real site, read by yt-dlp in worker processes of which some are killed. */
import { expect, it } from "vitest";
import { CreateFollow } from "../../common/follows.ts";
import { openKillableWorkers, type KillableWorkers } from "../dev/testing/killable-workers.ts";
import { signIn } from "../domain/accounts/sign-in.ts";
import { createFollow } from "../domain/follows/follows.ts";

const DAY_MS = 86_400_000;

/** Stores a follow of a list with three videos, all of them new, whose next look is due. */
async function followAsIfBefore({ domain, server }: KillableWorkers, list: string): Promise<void> {
  const email = "pro@example.org";
  const user = await signIn(domain, "a-device", { issuer: "https://issuer", subject: "pro", email });
  await domain.users.updateOne({ _id: user._id }, { $set: { tier: "pro" } });
  const viewer = { deviceId: "a-device", userId: user._id, tier: "pro" } as const;
  const empty = { read: () => Promise.resolve({ title: "A list", entries: [] }), picture: () => Promise.resolve(null) };
  const input = CreateFollow.parse({ url: list, format: "original" });
  await createFollow({ ...domain, videoHosts: domain.videoHosts }, empty, viewer, input, new AbortController().signal);
  await domain.follows.updateOne({}, { $set: { lastLookAt: new Date(Date.now() - DAY_MS) } });
  expect(server.site.requests).toEqual([]);
}

it("converts each new video once when a process is killed in the middle of a look", async () => {
  await using workers = await openKillableWorkers({ readsLists: true });
  const { domain, server } = workers;
  const list = `${server.site.urlOf("list-later")}?held`;
  await followAsIfBefore(workers, list);
  const timesAsked = (): number => server.site.requests.filter(({ path }) => path.includes("list-later")).length;
  await workers.startWorker();
  await expect.poll(timesAsked).toBe(1);
  await workers.kill();
  await workers.startWorker();
  // The lease of the first one has ended.
  await expect.poll(timesAsked).toBe(2);
  server.site.release(list);
  await expect.poll(() => domain.jobs.countDocuments({ status: "completed" })).toBe(3);
  const follow = await domain.follows.findOne().lean();
  expect(follow).toMatchObject({ title: "A tape that takes its time", waiting: [], failure: null });
  expect(follow?.came.map(({ title }) => title)).toEqual(["Rain, part 1", "Rain, part 2", "Rain, part 3"]);
  const links = (await domain.jobs.find().lean()).map(({ sourceUrl }) => sourceUrl);
  expect(new Set(links).size).toBe(links.length);
});
