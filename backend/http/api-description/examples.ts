/** Values that the examples of several calls share; a test reads each example with the schema of its place. */
import type { Usage } from "../../../common/api.ts";
import type { Job } from "../../../common/job.ts";
import type { UsageDays } from "../../../common/usage-days.ts";

export const LINK = "https://www.youtube.com/watch?v=aqz-KE-bpKQ";
export const OTHER_LINK = "https://www.youtube.com/watch?v=YE7VzlLtp-4";
export const LIST_TITLE = "Open movies";
export const BATCH_ID = "8d1f0a52-3a1e-4a55-9c4c-0f8d3f3e7b11";

export const QUEUED_JOB: Job = {
  id: "3f7c2f0e-8a34-4be2-9f0e-5d6a3c1b2a90",
  title: LINK,
  format: "mp3",
  quality: "128kbps",
  status: "queued",
  progress: 0,
  attempt: 1,
  createdAt: "2026-01-15T09:30:00.000Z",
  updatedAt: "2026-01-15T09:30:00.000Z",
};

export const COMPLETED_JOB: Job = {
  ...QUEUED_JOB,
  title: "Big Buck Bunny",
  status: "completed",
  progress: 100,
  updatedAt: "2026-01-15T09:30:04.000Z",
  durationSeconds: 634,
  fileSize: 10_157_893,
  expiresAt: "2026-01-15T10:30:04.000Z",
  downloadUrl: `/api/conversions/${QUEUED_JOB.id}/file`,
};

export const USAGE_BY_DAY: UsageDays = { days: [{ day: "2026-01-01", conversions: 2, dataUsed: 8_230_112 }] };

export const USAGE: Usage = { month: "2026-01", totalConversions: 12, totalDataUsed: 148_230_112 };
