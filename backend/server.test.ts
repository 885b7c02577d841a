import { expect, it } from "vitest";
import { startTestServer } from "./dev/testing/test-server.ts";

it("converts a link to a file and pushes every status", async () => {
  await using server = await startTestServer();
  const device = await server.newDevice();
  const live = await device.live();
  // Held until "processing" was pushed, which the limit of pushes may otherwise merge into "completed".
  const link = server.site.urlOf("held");
  const created = await device.convert(link);
  expect(created).toMatchObject({ status: "queued", attempt: 1, progress: 0 });
  await live.untilStatus(created.id, "processing");
  server.site.release(link);
  const done = await live.untilStatus(created.id, "completed", "failed");
  expect(done).toMatchObject({ status: "completed", title: "A line that is held", progress: 100 });
  const file = await device.call("GET", `/api/conversions/${created.id}/file`);
  expect(file.status).toBe(200);
  expect((await file.arrayBuffer()).byteLength).toBe(done.status === "completed" ? done.fileSize : 0);
  const statuses = [...new Set(live.pushes.map((job) => job.status))];
  expect(statuses).toEqual(["queued", "pending", "processing", "completed"]);
});
