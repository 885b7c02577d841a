/** Sets the document title, which shows the progress, and a finished job until the visitor looks at the page. */
import { useEffect } from "react";
import { jobs, useFinished } from "../client/stores.ts";
import { recordHead } from "../platform/prerendered-head.ts";
import { percentOfWork } from "../stores/batch-tally.ts";
import { jobsToShow } from "../stores/jobs.ts";
import { useFormats, useTexts } from "../texts/store.ts";

const NAME = "Tapedeck";

/**
 * Subscribes to the jobs outside of React, so that the page does not render again for its title.
 * @param title of the page; the home page has the product's name alone
 */
export function useTitle(title?: string): void {
  const texts = useTexts();
  const formats = useFormats();
  const [first, ...others] = useFinished((state) => state.jobs);
  const finishedName = first?.batchId === undefined ? first?.title : texts.batch.name(others.length + 1);
  recordHead({ title: [title, NAME].filter(Boolean).join(" · ") });
  useEffect(() => {
    function updateTitle(): void {
      const percent = percentOfWork(jobsToShow(jobs.getState()));
      const working = [percent !== undefined && formats.percent(percent), title, NAME].filter(Boolean).join(" · ");
      const shown = finishedName === undefined ? working : `✓ ${finishedName}`;
      if (document.title !== shown) document.title = shown;
    }
    updateTitle();
    return jobs.subscribe(updateTitle);
  }, [title, formats, finishedName]);
}
