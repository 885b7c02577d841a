/** The conversions that the button tells about, and how they change. Pure. */
import { z } from "zod";
import { Job, isActive } from "../../common/job.ts";
import { isTombstone, mergeIntoTable, mergeSnapshot, type JobTable, type Snapshot } from "../../common/merge.ts";
import { ExtensionFormat } from "./extension-format.ts";

const base = {
  /** Names the request, so that the server takes a repeated one for the same. */
  key: z.string(),
  /** Address of the page. */
  link: z.string(),
  format: ExtensionFormat,
};

export const Conversion = z.discriminatedUnion("phase", [
  /** The server has not answered yet, or has asked to wait until then. */
  z.object({ ...base, phase: z.literal("requested"), notBefore: z.iso.datetime(), sentence: z.string().optional() }),
  /** The server has the job, which is active or completed. */
  z.object({ ...base, phase: z.literal("accepted"), job: Job }),
  z.object({ ...base, phase: z.literal("failed"), sentence: z.string() }),
]);
export type Conversion = z.infer<typeof Conversion>;

export const State = z.object({
  /** Oldest first. */
  conversions: z.array(Conversion),
  /** Of the last event that was read; empty for none. */
  lastEventId: z.string(),
  /** The server does not answer, and is asked again. */
  isLost: z.boolean(),
});
export type State = z.infer<typeof State>;

export const NOTHING: State = { conversions: [], lastEventId: "", isLost: false };

export const requestedNow = (conversion: Pick<Conversion, "key" | "link" | "format">): Conversion => ({
  ...conversion,
  phase: "requested",
  notBefore: new Date().toISOString(),
});

export const isReady = (conversion: Conversion): conversion is Extract<Conversion, { phase: "accepted" }> =>
  conversion.phase === "accepted" && conversion.job.status === "completed";

/** Whether its job is followed. */
export const isUnderWay = (conversion: Conversion): boolean =>
  conversion.phase === "accepted" && isActive(conversion.job.status);

export const isPending = (conversion: Conversion): boolean =>
  conversion.phase === "requested" || isUnderWay(conversion);

/** Replaces one conversion, or leaves it out. Nothing changes when it is not there any more. */
export function replace(state: State, key: string, next: Conversion | null): State {
  const conversions = state.conversions.flatMap((one) => (one.key === key ? (next ?? []) : one));
  return { ...state, conversions };
}

/** Ends everything that is pending with one sentence. */
export function failPending(state: State, sentence: string): State {
  const conversions = state.conversions.map((one) =>
    isPending(one) ? ({ ...pick(one), phase: "failed", sentence } satisfies Conversion) : one,
  );
  return { ...state, conversions };
}

/** Takes a version of a job. */
export function takeJob(state: State, job: Job): State {
  return takeTable(state, mergeIntoTable(tableOf(state), job));
}

/** Takes all jobs of the account: those that are missing were removed. */
export function takeSnapshot(state: State, snapshot: Snapshot): State {
  return takeTable(state, mergeSnapshot(tableOf(state), snapshot));
}

export function takeRemoval(state: State, id: string): State {
  return takeTable(state, mergeIntoTable(tableOf(state), { id, removed: true }));
}

const pick = ({ key, link, format }: Conversion) => ({ key, link, format });

function tableOf({ conversions }: State): JobTable {
  return new Map(conversions.flatMap((one) => (one.phase === "accepted" ? [[one.job.id, one.job]] : [])));
}

/** A job that was canceled or removed elsewhere, such as on the page, needs no telling. */
function takeTable(state: State, table: JobTable): State {
  const conversions = state.conversions.flatMap((one): Conversion | [] => {
    if (one.phase !== "accepted") return one;
    const job = table.get(one.job.id);
    if (job === undefined || isTombstone(job) || job.status === "canceled") return [];
    if (job.status === "failed") return { ...pick(one), phase: "failed", sentence: job.error.message };
    return job === one.job ? one : { ...one, job };
  });
  const isSame = conversions.every((one, index) => one === state.conversions[index]);
  return isSame && conversions.length === state.conversions.length ? state : { ...state, conversions };
}
