import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SENTENCES } from "../../../common/errors.ts";
import { storedJob } from "../../dev/testing/arbitrary-jobs.ts";
import { domainForTests, newViewer } from "../../dev/testing/test-domain.ts";
import { createConversion } from "./add-jobs.ts";
import { cancelOrRemove } from "./end-jobs.ts";
import { parseJob } from "./find-jobs.ts";
import type { JobDocument } from "./job-model.ts";
import { presentJob } from "./present.ts";
import { listJobs } from "./read-jobs.ts";
import { claimJob } from "./work.ts";

const domain = domainForTests();
const [sample] = fc.sample(storedJob, { numRuns: 1, seed: 1 });

describe("a document that lacks what its status promises", () => {
  it.each([
    ["processing", "stage"],
    ["completed", "fileSize"],
    ["completed", "expiresAt"],
    ["failed", "error"],
    ["queued", "createdAt"],
    ["queued", "title"],
  ] as const)("reads as a failed job: %s without %s", (status, field) => {
    for (const lacking of [null, undefined]) {
      const lacks: string[] = [];
      const document = { ...sample, status, [field]: lacking } as unknown as JobDocument;
      expect(presentJob(parseJob(document, (lack) => lacks.push(lack)))).toMatchObject({
        id: document._id,
        status: "failed",
        error: { code: "internal", message: SENTENCES.internal },
      });
      expect(lacks).toEqual([field]);
    }
  });

  it("reads as a failed job when its status is none of ours", () => {
    const document = { ...sample, status: "paused" } as unknown as JobDocument;
    expect(parseJob(document, () => undefined).status).toBe("failed");
  });

  it("does not end the list that it is in, goes to the journal, and can be removed", async () => {
    const lacks: [string, string][] = [];
    const here = {
      ...domain,
      journal: {
        ...domain.journal,
        unreadable: ({ _id }: { _id: string }, field: string) => void lacks.push([_id, field]),
      },
    };
    const viewer = newViewer();
    const ask = (name: string) =>
      createConversion(here, viewer, { youtubeUrl: `https://video.example/${name}`, format: "mp3" });
    const [good, bad] = [await ask("good"), await ask("bad")];
    await claimJob(here, bad._id, "w");
    await here.jobs.updateOne({ _id: bad._id }, { $set: { status: "completed" } });

    expect((await listJobs(here, viewer)).map(({ _id, status }) => [_id, status])).toEqual([
      [bad._id, "failed"],
      [good._id, "queued"],
    ]);
    expect(lacks).toEqual([[bad._id, "fileSize"]]);
    await cancelOrRemove(here, viewer, bad._id);
    expect((await listJobs(here, viewer)).map(({ _id }) => _id)).toEqual([good._id]);
  });
});

it("a document that lacks nothing is the job itself", () => {
  fc.assert(
    fc.property(storedJob, (job) => {
      expect(parseJob(job as JobDocument, () => expect.fail())).toBe(job);
    }),
  );
});
