import { expect, it } from "vitest";
import { createDownloadNotesStore } from "../stores/download-notes.ts";
import { createJobsStore } from "../stores/jobs.ts";
import { makeJob } from "../testing/sample-jobs.ts";
import { limitEarlyDownloads, MAX_EARLY_DOWNLOADS } from "./early-downloads.ts";

const IDS = ["a", "b", "c", "d"];
const urlOf = (id: string) => `/api/conversions/${id}/file`;

function setUp() {
  const jobs = createJobsStore();
  const notes = createDownloadNotesStore();
  const downloaded: string[][] = [];
  const mayStart = limitEarlyDownloads(jobs, notes, (...download) => downloaded.push(download));
  const become = (id: string, status: string, attempt = 1) =>
    jobs.getState().receive(
      makeJob({
        id,
        status,
        attempt,
        ...(status === "canceled" ? {} : { downloadUrl: urlOf(id) }),
        updatedAt: status === "processing" ? "2026-01-01T12:00:00.000Z" : "2026-01-01T13:00:00.000Z",
      }),
    );
  for (const id of IDS) become(id, "processing");
  const waiting = () => [...notes.getState().waiting];
  return { mayStart: (id: string) => mayStart(urlOf(id)), jobs, become, downloaded, waiting };
}

it("starts three at once; the fourth waits for its finished file", () => {
  const { mayStart, become, downloaded, waiting } = setUp();
  expect(IDS.map(mayStart)).toEqual([true, true, true, false]);
  expect(MAX_EARLY_DOWNLOADS).toBe(3);
  expect([waiting(), downloaded]).toEqual([[urlOf("d")], []]);
  become("d", "completed");
  become("d", "completed");
  expect([waiting(), downloaded]).toEqual([[], [["d", urlOf("d")]]]);
});

it("counts a second press on the same job, which opens another connection", () => {
  const { mayStart } = setUp();
  expect(["a", "a", "a", "b"].map(mayStart)).toEqual([true, true, true, false]);
});

it("starts another one after a job has ended", () => {
  const { mayStart, become } = setUp();
  expect(["a", "b", "c"].map(mayStart)).toEqual([true, true, true]);
  become("a", "completed");
  expect(mayStart("d")).toBe(true);
});

it("forgets a job that is canceled while it waits", () => {
  const { mayStart, become, downloaded, waiting } = setUp();
  IDS.forEach(mayStart);
  become("d", "canceled");
  expect([waiting(), downloaded]).toEqual([[], []]);
});

it("waits for a job that starts over", () => {
  const { mayStart, jobs, become, downloaded, waiting } = setUp();
  IDS.forEach(mayStart);
  jobs.getState().receive(makeJob({ id: "d", status: "queued", attempt: 2 }));
  expect([waiting(), downloaded]).toEqual([[urlOf("d")], []]);
  become("d", "completed", 2);
  expect([waiting(), downloaded]).toEqual([[], [["d", urlOf("d")]]]);
});

it("leaves finished files and archives alone", () => {
  const { mayStart, become } = setUp();
  IDS.forEach(mayStart);
  become("d", "completed");
  expect([mayStart("d"), mayStart("an-archive")]).toEqual([true, true]);
});
