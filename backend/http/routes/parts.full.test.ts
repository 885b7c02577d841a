/** Parts of videos, against the running server. */
import { expect, it } from "vitest";
import { Job } from "../../../common/job.ts";
import type { Format } from "../../../common/tiers.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import type { PageName } from "../../dev/stand-ins/sample-site/sample-site.ts";
import { startTestServer } from "../../dev/testing/test-server.ts";

const server = await ofFile(startTestServer());
const device = await server.newDevice();

interface Wanted {
  readonly page?: PageName;
  readonly query?: string;
  readonly format?: Format;
}

async function request(startSeconds: number, endSeconds: number, wanted: Wanted = {}): Promise<Job> {
  const { page = "clicks", query = "", format = "mp3" } = wanted;
  const youtubeUrl = server.site.urlOf(page) + query;
  const choices = { part: { startSeconds, endSeconds } };
  return Job.parse(await (await device.call("POST", "/api/conversions", { youtubeUrl, format, choices })).json());
}

const ended = async ({ id }: Job): Promise<Job> => (await device.live()).untilStatus(id, "completed", "failed");
const mediaRequests = (): number => server.site.requests.filter(({ path }) => path.endsWith("/video.mp4")).length;

it("is downloaded under the title with its times, and is as long as the part", async () => {
  const job = await ended(await request(62, 80.5));
  expect(job).toMatchObject({ status: "completed", choices: { part: { startSeconds: 62, endSeconds: 80.5 } } });
  expect(job.durationSeconds).toBeCloseTo(18.5, 0);
  const answer = await device.call("GET", `/api/conversions/${job.id}/file`);
  expect(answer.headers.get("content-disposition")).toContain('"A click at every second (1.02-1.21).mp3"');
});

it("shares the file of an equal part, and makes one of its own for another", async () => {
  const query = "?shared";
  expect(await ended(await request(10, 15, { query }))).toMatchObject({ status: "completed" });
  const count = mediaRequests();
  expect(await ended(await request(10, 15.000_1, { query }))).toMatchObject({ status: "completed" });
  expect(mediaRequests()).toBe(count);
  const other = await ended(await request(10, 16, { query }));
  expect(other.durationSeconds).toBeCloseTo(6, 0);
  expect(mediaRequests()).toBeGreaterThan(count);
});

it("fails with a sentence when it begins after the end, and stays with a retry", async () => {
  const job = await ended(await request(500, 510));
  const error = { code: "part_outside", message: "This video ends before that part. Choose an earlier start." };
  expect(job).toMatchObject({ status: "failed", error });
  const retried = Job.parse(await (await device.call("POST", `/api/conversions/${job.id}/retry`)).json());
  expect(retried).toMatchObject({ attempt: 2, choices: { part: { startSeconds: 500, endSeconds: 510 } } });
});

it("is made again by a retry after it was canceled", async () => {
  const job = await request(5, 8, { page: "slow" });
  await device.call("DELETE", `/api/conversions/${job.id}?while=active`);
  const retried = Job.parse(await (await device.call("POST", `/api/conversions/${job.id}/retry`)).json());
  const made = await ended(retried);
  expect(made).toMatchObject({ status: "completed", attempt: 2 });
  expect(made.durationSeconds).toBeCloseTo(3, 0);
});
