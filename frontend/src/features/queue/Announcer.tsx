import { chakra } from "@chakra-ui/react";
import { useState } from "react";
import { isActive } from "../../../../common/job.ts";
import type { Job } from "../../../../common/job.ts";
import { useJobs } from "../../app.ts";
import { jobsToShow } from "../../stores/jobs.ts";
import { currentTexts, sentenceOf } from "../../texts/store.ts";

function announcement(job: Job): string | null {
  const { announce } = currentTexts().queue;
  if (job.status === "completed") return announce.ready(job.title);
  if (job.status === "failed") return announce.failed(job.title, sentenceOf(job.error));
  return null;
}

/** Tells those who listen instead of look that a job has ended; percents would only be noise. */
export function Announcer() {
  const jobs = useJobs(jobsToShow);
  const [seen, setSeen] = useState(jobs);
  const [text, setText] = useState("");
  if (seen !== jobs) {
    const wasActive = new Set(seen.filter((job) => isActive(job.status)).map((job) => job.id));
    const news = jobs.flatMap((job) => (wasActive.has(job.id) && announcement(job)) || []);
    setSeen(jobs);
    if (news.length > 0) setText(news.join(" "));
  }
  return (
    <chakra.div srOnly aria-live="polite">
      {text}
    </chakra.div>
  );
}
