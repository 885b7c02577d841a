import { expect, it } from "vitest";
import { createJobsStore } from "../stores/jobs.ts";
import { memoryStorage } from "../testing/memory-storage.ts";
import { makeJob } from "../testing/sample-jobs.ts";
import { downloadByItself } from "./auto-download.ts";
import { claimOnce } from "./claim.ts";

const URL_OF_FILE = "/api/conversions/one/file";
const done = (more: object = {}) => makeJob({ status: "completed", downloadUrl: URL_OF_FILE, ...more });

function setUp({ isOn = true, claims = new Set<string>() } = {}) {
  const jobs = createJobsStore();
  const started = new Set<string>();
  const downloaded: string[] = [];
  const choice = { isOn };
  downloadByItself({
    jobs,
    started,
    isOn: () => choice.isOn,
    claim: (id) => Promise.resolve(!claims.has(id) && claims.add(id) !== undefined),
    download: (url) => downloaded.push(url),
  });
  const receive = async (job: ReturnType<typeof done>) => {
    jobs.getState().receive(job);
    await Promise.resolve();
  };
  return { started, downloaded, choice, receive };
}

it("downloads a job of this page once, when it is ready", async () => {
  const { started, downloaded, receive } = setUp();
  started.add("one");
  await receive(makeJob({ status: "processing" }));
  expect(downloaded).toEqual([]);
  await receive(done());
  await receive(done({ updatedAt: "2026-01-01T13:00:00.000Z" }));
  expect(downloaded).toEqual([URL_OF_FILE]);
});

it("downloads nothing while it is off, and nothing later that was ready then", async () => {
  const { started, downloaded, choice, receive } = setUp({ isOn: false });
  started.add("one");
  await receive(done());
  choice.isOn = true;
  await receive(done({ updatedAt: "2026-01-01T13:00:00.000Z" }));
  expect(downloaded).toEqual([]);
});

it("downloads no job of another page, none of a batch, and none that another window has claimed", async () => {
  const { started, downloaded, receive } = setUp({ claims: new Set(["claimed"]) });
  await receive(done());
  for (const id of ["member", "claimed"]) started.add(id);
  await receive(done({ id: "member", batchId: "many" }));
  await receive(done({ id: "claimed" }));
  expect(downloaded).toEqual([]);
});

it("a claim succeeds once in all windows, which share the storage", async () => {
  const storage = memoryStorage();
  expect(await claimOnce("a", storage)).toBe(true);
  expect(await claimOnce("a", storage)).toBe(false);
  expect(await claimOnce("b", storage)).toBe(true);
});
