/** A podcast that grows, followed by a whole server with the real yt-dlp. */
import { expect, it } from "vitest";
import { FollowList } from "../../../common/follows.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { startTestServer } from "../../dev/testing/test-server.ts";

const server = await ofFile(
  startTestServer({ settings: { domain: { lookEveryMs: 500 }, worker: { followPollMs: 50 } } }),
);

it("converts one episode after the other as they come, each once, and none that was there before", async () => {
  const device = await server.newDevice();
  await server.signIn(device, { email: "pro@example.com" });
  await server.setTier("pro@example.com", "pro");
  const live = await device.live();
  const url = server.site.urlOf("list-growing");
  expect((await device.call("POST", "/api/follows", { url, format: "original" })).status).toBe(201);
  const completed = () => live.jobs().filter(({ status }) => status === "completed");
  await expect.poll(() => completed().length).toBeGreaterThanOrEqual(2);
  const [follow] = FollowList.parse(await (await device.call("GET", "/api/follows")).json()).follows;
  const titles = follow?.came.map(({ title }) => title).toReversed() ?? [];
  // The list had three when it was followed.
  expect(titles).toEqual(titles.map((_, index) => `Rain, part ${4 + index}`));
  expect(follow).toMatchObject({ title: "A tape that grows", state: "on" });
});
