/** What a running job's row says in the place of its format: why its figures are old, or that it takes longer. */
import { useState } from "react";
import { useConnection, useJobs } from "../../client/stores.ts";
import { POLL_INTERVAL_MS } from "../../stores/connection.ts";
import { jobsById } from "../../stores/jobs.ts";
import { createSlownessWatch } from "../../stores/slowness.ts";
import { useTexts } from "../../texts/store.ts";
import { useAtTime } from "./clock.ts";

export const useIsOffline = (): boolean => useConnection((state) => state.indicator === "offline");

/** @returns what is wrong with the connection; undefined while the server pushes */
export function useConnectionRemark(): string | undefined {
  const { job, network, queue } = useTexts();
  const indicator = useConnection((state) => state.indicator);
  const isStale = useConnection((state) => state.isStale);
  if (indicator === null) return undefined;
  if (indicator === "offline") return job.offline;
  return isStale ? queue.reconnecting : network.updatedEvery(POLL_INTERVAL_MS / 1_000);
}

/** {@link useConnectionRemark}, or else that the time left has grown. */
export function useRemark(jobId: string): string | undefined {
  const { slower } = useTexts().job;
  const [watch] = useState(createSlownessWatch);
  const untilMs = useJobs((state) => {
    const job = jobsById(state).get(jobId);
    return watch(job?.status === "processing" ? job.etaSeconds : undefined, Date.now());
  });
  const isSlower = useAtTime((nowMs) => nowMs < untilMs);
  return useConnectionRemark() ?? (isSlower ? slower : undefined);
}
