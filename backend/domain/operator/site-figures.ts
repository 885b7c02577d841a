/** What became of the jobs of the last hour, by the site that was asked. */
import { HOUR_MS } from "../../../common/durations.ts";
import type { SiteFigures } from "../../../common/operator.ts";
import type { Domain } from "../domain.ts";
import type { JobDocument } from "../jobs/job-model.ts";
import { siteOutcomeOf } from "../sites/site-health.ts";
import { siteOf } from "../sites/site-of.ts";

/** On a busy server, these are of the last minutes. */
const MAX_READ = 5_000;
const MOST_ASKED = 10;

type Asked = Pick<JobDocument, "sourceUrl" | "status" | "error">;

/** @returns figures of the sites that were asked most, the most asked first */
export async function readSites({ jobs }: Pick<Domain, "jobs">, now: Date = new Date()): Promise<SiteFigures[]> {
  // Neither a tape nor a cut asks a site.
  const asked = await jobs
    .find(
      { createdAt: { $gt: new Date(now.getTime() - HOUR_MS) }, tape: null, cutOf: null },
      { sourceUrl: 1, status: 1, "error.code": 1 },
    )
    .sort({ createdAt: -1 })
    .limit(MAX_READ)
    .lean<Asked[]>();
  return [...Map.groupBy(asked, ({ sourceUrl }) => siteOf(sourceUrl))]
    .map(([site, ofSite]) => figuresOf(site, ofSite))
    .toSorted((a, b) => b.asked - a.asked)
    .slice(0, MOST_ASKED);
}

function figuresOf(site: string, asked: readonly Asked[]): SiteFigures {
  const codes = asked.flatMap(({ status, error }) => (status === "failed" ? (error?.code ?? "internal") : []));
  const outcomes = codes.map(siteOutcomeOf);
  return {
    site,
    asked: asked.length,
    completed: asked.filter(({ status }) => status === "completed").length,
    failed: codes.length,
    refusing: outcomes.filter((outcome) => outcome === "refusing").length,
    changed: outcomes.filter((outcome) => outcome === "changed").length,
  };
}
