import * as fc from "fast-check";
import { expect, it } from "vitest";
import { storedJob } from "../dev/testing/arbitrary-jobs.ts";
import type { ProcessingJob } from "../domain/jobs/job-model.ts";
import type { ProgressUpdate } from "../domain/jobs/work.ts";
import { followedProgress } from "./followed-progress.ts";

it("never goes back, and reports the newest stage and the highest percentage, whatever the other worker stores", () => {
  const stored = storedJob.map((job) => ({ ...job, status: "processing" }) as ProcessingJob);
  fc.assert(
    fc.property(fc.array(stored, { minLength: 1 }), (others) => {
      let known: ProgressUpdate | undefined;
      for (const [index, other] of others.entries()) {
        known = followedProgress(known, other);
        const highest = Math.max(...others.slice(0, index + 1).map(({ progress }) => progress));
        expect(known).toMatchObject({ stage: other.stage, progress: highest });
      }
    }),
  );
});
