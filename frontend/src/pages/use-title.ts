/** Sets the document title, which shows the progress, and a finished job until the visitor looks at the page. */
import { useEffect } from "react";
import { jobs, useFinished } from "../client/stores.ts";
import { recordHead } from "../platform/prerendered-head.ts";
import { percentOfWork } from "../stores/batch-tally.ts";
import { jobsToShow } from "../stores/jobs.ts";
import type { Texts } from "../texts/en.ts";
import { useFormats, useTexts } from "../texts/store.ts";

const NAME = "Tapedeck";

/** Subscribes to the jobs outside of React, so that the page does not render again for its title. */
export function useTitle(page?: keyof Texts["titles"]): void {
  const texts = useTexts();
  const formats = useFormats();
  const [first, ...others] = useFinished((state) => state.jobs);
  const finishedName = first?.batchId === undefined ? first?.title : texts.batch.name(others.length + 1);
  recordHead({ title: [page && texts.titles[page], NAME].filter(Boolean).join(" · ") });
  useEffect(() => {
    function updateTitle(): void {
      const percent = percentOfWork(jobsToShow(jobs.getState()));
      const working = [percent !== undefined && formats.percent(percent), page && texts.titles[page], NAME]
        .filter(Boolean)
        .join(" · ");
      const title = finishedName === undefined ? working : `✓ ${finishedName}`;
      if (document.title !== title) document.title = title;
    }
    updateTitle();
    return jobs.subscribe(updateTitle);
  }, [page, texts, formats, finishedName]);
}
