/** The title of the tab, which tells how far the work is while the page is in the background. */
import { useEffect } from "react";
import { useJobs } from "./app.ts";
import { jobsToShow } from "./stores/jobs.ts";

const NAME = "Tapedeck";

export function useTitle(page?: string): void {
  const percent = useJobs((state) => jobsToShow(state).findLast((job) => job.status === "processing")?.progress);
  const title = [percent !== undefined && `${Math.floor(percent)} %`, page, NAME].filter(Boolean).join(" · ");
  useEffect(() => {
    document.title = title;
  }, [title]);
}
