import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { ErrorBody } from "../../../common/errors.ts";
import { Follow, FollowList } from "../../../common/follows.ts";
import { FakePipeline } from "../../dev/testing/fake-pipeline.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { convertWithoutTools } from "../../dev/testing/test-conversion.ts";
import { startTestServer, type TestDevice } from "../../dev/testing/test-server.ts";

const pipeline = new FakePipeline();
const server = await ofFile(
  startTestServer(
    {
      hasExtractor: false,
      lookups: pipeline.lookups,
      settings: { domain: { lookEveryMs: 100 }, worker: { followPollMs: 50 } },
    },
    undefined,
    convertWithoutTools,
  ),
);
const LIST = "https://www.youtube.com/@tapedeck/videos";
const entry = (part: number) => ({ link: `${server.site.urlOf("rain")}?part=${part}`, title: `Part ${part}` });

beforeEach(() => {
  pipeline.reset();
  pipeline.lists.set(LIST, { title: "A tape", entries: [entry(1)] });
});

async function signUp(): Promise<TestDevice> {
  const email = `${randomUUID()}@example.com`;
  const device = await server.newDevice();
  await server.signIn(device, { email });
  await server.setTier(email, "pro");
  return device;
}

const shownTo = async (device: TestDevice): Promise<Follow[]> =>
  FollowList.parse(await (await device.call("GET", "/api/follows")).json()).follows;

it("converts what a followed list gets, in the queue of its user, and shows what came", async () => {
  const device = await signUp();
  const live = await device.live();
  const answer = await device.call("POST", "/api/follows", { url: LIST });
  expect(answer.status).toBe(201);
  const { id, state, came } = Follow.parse(await answer.json());
  expect([state, came]).toEqual(["on", []]);

  pipeline.lists.set(LIST, { title: "A tape", entries: [entry(3), entry(2), entry(1)] });
  await expect.poll(() => live.jobs().filter(({ status }) => status === "completed").length).toBe(2);
  const [shown] = await shownTo(device);
  const job = { status: "completed", downloadUrl: expect.stringContaining("/file") as unknown };
  expect(shown?.came).toMatchObject([
    { title: "Part 3", job },
    { title: "Part 2", job },
  ]);

  const paused = Follow.parse(await (await device.call("POST", `/api/follows/${id}`, { isPaused: true })).json());
  expect([paused.state, paused.nextLookAt]).toEqual(["paused", null]);
  expect((await device.call("DELETE", `/api/follows/${id}`)).status).toBe(204);
  expect(await shownTo(device)).toEqual([]);
  expect(live.jobs()).toHaveLength(2);
});

it.each([
  ["a list that cannot be read", { url: "https://www.youtube.com/@nobody/videos" }, 422, "unavailable"],
  ["more videos a day than there may be", { url: LIST, perDay: 21 }, 400, "bad_request"],
  ["quiet hours of no zone", { url: LIST, quietHours: { from: "1:00", to: "2:00", timeZone: "" } }, 400, "bad_request"],
])("refuses %s", async (_, body, status, code) => {
  const answer = await (await signUp()).call("POST", "/api/follows", body);
  expect([answer.status, ErrorBody.parse(await answer.json()).code]).toEqual([status, code]);
});
