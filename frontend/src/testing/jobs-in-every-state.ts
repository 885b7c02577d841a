import type { Job } from "../../../common/job.ts";
import { makeJob } from "./sample-jobs.ts";

const LATER = "2099-01-01T00:00:00.000Z";
const downloadUrlOf = (id: string): string => `/api/conversions/${id}/file`;

/** One of each kind; the last three are a batch. */
export const JOBS_IN_EVERY_STATE: readonly Job[] = [
  { id: "queued", title: "Still waiting", status: "queued" },
  { id: "resumes", title: "Asked to wait", status: "queued", attempt: 2, resumesAt: LATER },
  { id: "pending", title: "Being looked at", status: "pending" },
  { id: "paused", title: "Asked to wait in the middle", status: "processing", progress: 41, resumesAt: LATER },
  {
    id: "downloading",
    title: "On its way",
    status: "processing",
    progress: 41,
    bytesPerSecond: 2_000_000,
    etaSeconds: 20,
  },
  {
    id: "converting",
    title: "صوت المطر على السطح",
    status: "processing",
    stage: "convert",
    progress: 80,
    etaSeconds: 3,
    durationSeconds: 182,
  },
  {
    id: "ready",
    title: "Rain on a tin roof",
    status: "completed",
    fileSize: 3_000_000,
    expiresAt: LATER,
    downloadUrl: downloadUrlOf("ready"),
    note: "360p to fit 50 MB",
    shortfall: { reason: "file_size", heightLines: 360, maxBytes: 50_000_000 },
    sponsorsUnknown: true,
  },
  { id: "expired", title: "Gone with the hour", status: "completed", expiresAt: "2026-01-01T01:00:00.000Z" },
  { id: "blocked", title: "Claimed by its owner", status: "completed", expiresAt: LATER, isBlocked: true },
  {
    id: "failed",
    title: "Three hours of a very quiet room",
    status: "failed",
    error: {
      code: "too_long",
      message: "Longer than 20 minutes. Pro takes up to 2 hours.",
      reason: { name: "longer_than_plan", maxSeconds: 1_200, proMaxSeconds: 7_200 },
    },
  },
  { id: "canceled", title: "Never mind", status: "canceled" },
  {
    id: "first",
    batchId: "many",
    title: "First of many",
    status: "completed",
    expiresAt: LATER,
    downloadUrl: downloadUrlOf("first"),
  },
  {
    id: "second",
    batchId: "many",
    title: "Second of many",
    status: "failed",
    error: { code: "unavailable", message: "Not there." },
  },
  { id: "third", batchId: "many", title: "Third of many", status: "processing", progress: 10 },
].map(makeJob);
