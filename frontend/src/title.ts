/** The title of the tab, which tells how far the work is while the page is in the background. */
import { useEffect } from "react";
import { jobsStore } from "./app.ts";
import { jobsToShow } from "./stores/jobs.ts";

const NAME = "Tapedeck";

/** Follows the jobs past React: a page is not drawn again for its title. */
export function useTitle(page?: string): void {
  useEffect(() => {
    function tell(): void {
      const percent = jobsToShow(jobsStore.getState()).findLast((job) => job.status === "processing")?.progress;
      const title = [percent !== undefined && `${Math.floor(percent)} %`, page, NAME].filter(Boolean).join(" · ");
      if (document.title !== title) document.title = title;
    }
    tell();
    return jobsStore.subscribe(tell);
  }, [page]);
}
