import { expect, it } from "vitest";
import { createJobsStore } from "../stores/jobs.ts";
import type { Notice } from "../stores/notice.ts";
import { makeJob } from "../testing/sample-jobs.ts";
import { followQueue } from "./queue-changes.ts";
import { showReadyToast } from "./ready-toast.ts";

function setUp({ isInView = false, isOwn = true } = {}) {
  const jobs = createJobsStore();
  const shown: Notice[] = [];
  const asked: string[] = [];
  followQueue(jobs, [
    showReadyToast({
      isOwn: () => isOwn,
      isInView: (id) => (asked.push(id), isInView),
      show: (notice) => shown.push(notice),
    }),
  ]);
  const receive = (id: string, status: string, more: object = {}) =>
    jobs.getState().receive(makeJob({ id, title: "Rain", status, ...more }));
  const finish = (id: string, more: object = {}) => {
    receive(id, "processing", more);
    receive(id, "completed", { downloadUrl: `/file/${id}`, ...more });
  };
  return { shown, asked, receive, finish };
}

it("says with a download that a file is ready whose row is out of view", () => {
  const { shown, finish } = setUp();
  finish("a");
  expect(shown).toEqual([
    {
      kind: "success",
      title: "Ready",
      description: "Rain",
      download: { url: "/file/a", label: "Download", name: "Download Rain" },
    },
  ]);
});

it("says nothing of a row in view, of a job of another tab, and of a failure", () => {
  const inView = setUp({ isInView: true });
  inView.finish("a");
  expect([inView.shown, inView.asked]).toEqual([[], ["a"]]);
  const other = setUp({ isOwn: false });
  other.finish("a");
  expect(other.shown).toEqual([]);
  const failing = setUp();
  failing.receive("a", "processing");
  failing.receive("a", "failed");
  expect(failing.shown).toEqual([]);
});

it("says once that a batch is ready, with its archive", () => {
  const { shown, asked, receive, finish } = setUp();
  const batch = { batchId: "many" };
  receive("b", "queued", batch);
  finish("a", batch);
  expect(shown).toEqual([]);
  receive("b", "failed", batch);
  expect(shown).toEqual([
    {
      kind: "success",
      title: "Ready",
      description: "Batch of 2 videos: 1 done, 1 failed",
      download: { url: "/api/batch-conversions/many/zip", label: "Download", name: "Download all" },
    },
  ]);
  expect(asked).toEqual(["many"]);
});
