import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exactly, SENTENCES } from "../../../common/errors.ts";
import { FINDING_NAMES } from "../../../common/findings.ts";
import { CanceledJob, CompletedJob, FailedJob, PendingJob, ProcessingJob, QueuedJob } from "../../../common/job.ts";
import { SECRET, storedJob } from "../../dev/testing/arbitrary-jobs.ts";
import type { CompletedJob as Completed, FailedJob as Failed, StoredJob } from "./job-model.ts";
import { hasFile, presentJob } from "./present.ts";

const STRICT = {
  queued: QueuedJob.strict(),
  pending: PendingJob.strict(),
  processing: ProcessingJob.strict(),
  completed: CompletedJob.strict(),
  failed: FailedJob.strict(),
  canceled: CanceledJob.strict(),
};

describe("presentJob", () => {
  it("returns the fields of the wire's schema and no others", () => {
    fc.assert(
      fc.property(storedJob, fc.date({ noInvalidDate: true }), (job, now) => {
        const wire = presentJob(job, now.getTime());
        expect(STRICT[job.status].parse(wire)).toEqual(wire);
      }),
      { numRuns: 500 },
    );
  });

  it("leaks nothing about owner, link, worker or storage", () => {
    fc.assert(
      fc.property(storedJob, (job) => {
        expect(JSON.stringify(presentJob(job))).not.toContain(SECRET);
      }),
      { numRuns: 500 },
    );
  });

  it("leaves out fields that the database has as null", () => {
    fc.assert(
      fc.property(storedJob, (job) => {
        const withNulls = {
          ...job,
          note: job.note ?? null,
          batchId: job.batchId ?? null,
          durationSeconds: job.durationSeconds ?? null,
        };
        expect(presentJob(withNulls as unknown as StoredJob, 0)).toEqual(presentJob(job, 0));
      }),
    );
  });
});

describe("the note", () => {
  const [job] = fc.sample(storedJob, 1);
  const shortfall = { reason: "file_size", heightLines: 360, maxBytes: 50_000_000 } as const;
  const noteOf = (found: object) => presentJob({ ...(job as StoredJob), note: undefined, ...found }).note;
  const nothing = Object.fromEntries(FINDING_NAMES.map((name) => [name, undefined]));

  it("says in English all that is said of the result", () => {
    expect(noteOf({ ...nothing, shortfall, interlaced: true, sponsorsUnknown: true })).toBe(
      "360p to fit 50 MB; interlaced: too long to be changed; sponsored segments unknown: left as they are",
    );
    expect(noteOf(nothing)).toBeUndefined();
  });

  it("is that of an earlier version where the job has one", () =>
    expect(noteOf({ ...nothing, note: "720p: the site gave no more" })).toBe("720p: the site gave no more"));
});

describe("the error of a job that an earlier version has stored", () => {
  const errorOf = (error: Failed["error"]) => {
    const [job] = fc.sample(storedJob, 1);
    if (!job) throw new Error("no job was made");
    const wire = presentJob({ ...job, status: "failed", error });
    return wire.status === "failed" ? wire.error : undefined;
  };

  it("has the reason that its sentence tells", () => {
    const { message, reason } = exactly("no_sound");
    expect(errorOf({ code: "unavailable", message })).toEqual({ code: "unavailable", message, reason });
  });

  it("has no reason where the sentence is that of the code", () => {
    const error = { code: "private", message: SENTENCES.private } as const;
    expect(errorOf(error)).toEqual(error);
  });

  it("keeps a stored reason", () => {
    const error = { code: "live", message: exactly("no_sound").message, reason: { name: "live_just_ended" } } as const;
    expect(errorOf(error)).toEqual(error);
  });
});

describe("downloadUrl", () => {
  const completed = storedJob.map((job) => ({ ...job, status: "completed", isExpired: false }) as Completed);

  it("is present until the exact millisecond at which the file expires", () => {
    fc.assert(
      fc.property(completed, (job) => {
        const endMs = job.expiresAt.getTime();
        expect(presentJob(job, endMs - 1)).toMatchObject({ downloadUrl: `/api/conversions/${job._id}/file` });
        expect(presentJob(job, endMs)).not.toHaveProperty("downloadUrl");
        expect(presentJob({ ...job, isExpired: true }, endMs - 1)).not.toHaveProperty("downloadUrl");
        expect(hasFile(job, endMs - 1)).toBe(true);
      }),
    );
  });

  it("is absent for a job that is not completed, unless its file may be downloaded while it is made", () => {
    fc.assert(
      fc.property(
        storedJob.filter((job) => job.status !== "completed"),
        (job) => {
          expect(presentJob({ ...job, earlyName: undefined } as StoredJob, 0)).not.toHaveProperty("downloadUrl");
          const offered = presentJob({ ...job, earlyName: "name" } as StoredJob, 0);
          expect("downloadUrl" in offered).toBe(job.status === "processing");
        },
      ),
    );
  });
});

it("thumbnailUrl is on this server and contains the attempt", () => {
  const [job] = fc.sample(storedJob, { numRuns: 1, seed: 1 });
  const withPicture = { ...job, thumbnailKey: "k.2.jpg", attempt: 2 } as StoredJob;
  expect(presentJob(withPicture)).toMatchObject({
    thumbnailUrl: `/api/conversions/${withPicture._id}/thumbnail?attempt=2`,
  });
});
