import { chakra } from "@chakra-ui/react";
import { useState } from "react";
import { useJobs } from "../../client/client.ts";
import { jobsToShow } from "../../stores/jobs.ts";
import { currentFormats, currentTexts, sentenceOf } from "../../texts/store.ts";
import { announcementsBetween } from "./announcements.ts";
import type { Announcement } from "./announcements.ts";
import { tallyOf } from "../../stores/queue-items.ts";

function sentenceFor(announcement: Announcement): string {
  const { queue, batch } = currentTexts();
  const formats = currentFormats();
  const { jobs, kind } = announcement;
  const [first] = jobs;
  const isBatch = first?.batchId !== undefined;
  const name = isBatch ? batch.name(jobs.length) : (first?.title ?? "");
  if (kind === "started") return queue.announce.started(name);
  if (kind === "quarter") return queue.announce.quarter(name, formats.percent(announcement.percent));
  const { done, failed } = tallyOf(jobs);
  if (isBatch)
    return queue.announce.ended(
      name,
      formats.list([...(done > 0 ? [batch.done(done)] : []), ...(failed > 0 ? [batch.failed(failed)] : [])]),
    );
  return first?.status === "failed" ? queue.announce.failed(name, sentenceOf(first.error)) : queue.announce.ready(name);
}

/** Announces the progress of jobs to screen readers. */
export function Announcer() {
  const jobs = useJobs(jobsToShow);
  const [previousJobs, setPreviousJobs] = useState(jobs);
  const [text, setText] = useState("");
  if (previousJobs !== jobs) {
    const announcements = announcementsBetween(previousJobs, jobs);
    setPreviousJobs(jobs);
    if (announcements.length > 0) setText(announcements.map(sentenceFor).join(" "));
  }
  return (
    <chakra.div srOnly aria-live="polite">
      {text}
    </chakra.div>
  );
}
