/** What a page shows after its connection has dropped and come back. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { LiveView } from "../dev/testing/live-view.ts";
import { domainForTests, newViewer } from "../dev/testing/test-domain.ts";
import { startTestRealtime } from "../dev/testing/test-realtime.ts";
import type { Viewer } from "../domain/accounts/viewer.ts";
import { createInProcessBus } from "../domain/bus.ts";
import type { StoredJob } from "../domain/jobs/job-model.ts";
import { createConversion } from "../domain/jobs/add-jobs.ts";
import { cancelOrRemove } from "../domain/jobs/end-jobs.ts";
import { beginProcessing, claimJob, finishJob } from "../domain/jobs/work.ts";
import type { Realtime } from "./realtime.ts";

const LINK = { youtubeUrl: "https://youtu.be/dQw4w9WgXcQ", format: "mp3" } as const;

const domain = domainForTests();
let realtime: Realtime;
let live: LiveView;
let viewer: Viewer;
/** Runs at each identification of the browser. */
let beforeIdentify: () => Promise<void>;
/** Tells the server that its database is away. */
let loseDatabase: () => void;

beforeEach(async () => {
  viewer = newViewer();
  beforeIdentify = () => Promise.resolve();
  const started = await startTestRealtime(domain, {
    identify: async () => {
      await beforeIdentify();
      return viewer;
    },
    database: {
      isUp: () => true,
      onChange: (handler) => {
        loseDatabase = () => handler(false);
        return () => undefined;
      },
    },
  });
  realtime = started.realtime;
  live = await LiveView.connect(started.origin, () => "");
});
afterEach(async () => {
  live.socket.disconnect();
  await realtime.close();
});

/** A running job that the page shows. */
async function runJob(): Promise<StoredJob> {
  const { _id } = await createConversion(domain, viewer, LINK);
  // A page keeps a younger job that is missing from a list.
  await domain.jobs.updateOne({ _id }, { $set: { createdAt: new Date(Date.now() - 60_000) } });
  const claimed = await claimJob(domain, _id, "worker");
  const job = claimed && (await beginProcessing(domain, claimed, { stage: "store", progress: 99 }));
  if (!job) throw new Error("the job was not begun");
  await live.untilStatus(_id, "processing");
  return job;
}

/** Ends the connection, and waits until both sides know it. */
async function drop(end: () => void): Promise<void> {
  const { socket } = live;
  socket.io.reconnection(false);
  const down = new Promise<void>((resolve) => socket.once("disconnect", () => resolve()));
  end();
  await down;
  await expect.poll(() => realtime.socketCount()).toBe(0);
}

it.each([
  ["it is checked whether the connection may continue", 1],
  ["the continued connection is identified", 2],
])("shows what has changed while %s", async (_step, heldCall) => {
  const ending = await runJob();
  const leaving = await runJob();
  await cancelOrRemove(domain, viewer, leaving._id);
  await live.untilStatus(leaving._id, "canceled");
  await drop(() => live.socket.io.engine.close());
  const reached = Promise.withResolvers<void>();
  const mayGoOn = Promise.withResolvers<void>();
  let calls = 0;
  beforeIdentify = async () => {
    calls += 1;
    if (calls !== heldCall) return;
    reached.resolve();
    await mayGoOn.promise;
  };
  live.socket.connect();
  await reached.promise;
  await finishJob(domain, ending, { fileKey: `${ending._id}.1.mp3`, fileSize: 1 }, "free");
  await cancelOrRemove(domain, viewer, leaving._id);
  expect(await domain.published("job:removed")).toMatchObject([{ id: leaving._id }]);
  mayGoOn.resolve();
  await live.untilStatus(ending._id, "completed");
  expect(live.socket.recovered).toBe(true);
  expect(live.jobs()).toMatchObject([{ id: ending._id, status: "completed" }]);
});

it("shows what has changed during an outage of the database without being pushed", async () => {
  const { _id } = await runJob();
  await drop(loseDatabase);
  await cancelOrRemove({ ...domain, bus: createInProcessBus() }, viewer, _id);
  live.socket.connect();
  await live.untilStatus(_id, "canceled");
  expect(live.socket.recovered).toBe(true);
});
