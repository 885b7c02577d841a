/** Why jobs failed in the last hour, by code and site. */
import { HOUR_MS } from "../../../common/durations.ts";
import type { FailureGroup } from "../../../common/operator.ts";
import type { Domain } from "../domain.ts";
import type { JobDocument } from "../jobs/job-model.ts";
import { siteOf } from "../sites/site-of.ts";

/** On a busy server that fails, these are of the last minutes. */
const MAX_READ = 2_000;
const MAX_GROUPS = 20;
const EXAMPLES = 3;

type Failed = Pick<JobDocument, "_id" | "sourceUrl" | "error">;

/** @returns groups of the newest failures, the largest first */
export async function readFailures({ jobs }: Pick<Domain, "jobs">, now: Date = new Date()): Promise<FailureGroup[]> {
  const failed = await jobs
    .find(
      { status: "failed", updatedAt: { $gt: new Date(now.getTime() - HOUR_MS) } },
      { sourceUrl: 1, "error.code": 1, "error.words": 1 },
    )
    .sort({ updatedAt: -1 })
    .limit(MAX_READ)
    .lean<Failed[]>();
  const groups = Map.groupBy(failed, ({ sourceUrl, error }) => `${error?.code ?? "internal"} ${siteOf(sourceUrl)}`);
  return [...groups.values()]
    .map(groupOf)
    .toSorted((a, b) => b.count - a.count)
    .slice(0, MAX_GROUPS);
}

function groupOf(failed: readonly Failed[]): FailureGroup {
  const [first] = failed;
  return {
    code: first?.error?.code ?? "internal",
    site: siteOf(first?.sourceUrl ?? ""),
    count: failed.length,
    examples: withDifferentWords(failed).map(({ _id, error }) => ({ jobId: _id, words: error?.words ?? null })),
  };
}

/** The same words again would say nothing more. */
function withDifferentWords(failed: readonly Failed[]): Failed[] {
  const byWords = new Map<string, Failed>();
  for (const job of failed) {
    const words = job.error?.words ?? "";
    if (!byWords.has(words)) byWords.set(words, job);
  }
  return [...byWords.values()].slice(0, EXAMPLES);
}
