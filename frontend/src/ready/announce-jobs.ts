/** Words the announcements about jobs for screen readers. */
import { isCatchingUp } from "../../../common/job.ts";
import type { AnnouncerState, Line } from "../stores/announcer.ts";
import { currentFormats, currentTexts, sentenceOf } from "../texts/store.ts";
import { announcementsOf } from "./announcements.ts";
import type { Announcement } from "./announcements.ts";
import { nameOf, outcomeOf } from "./ended-words.ts";
import type { QueueChange } from "./queue-changes.ts";

function sentenceFor(announcement: Announcement): string {
  const { queue, job } = currentTexts();
  const formats = currentFormats();
  const { jobs, kind } = announcement;
  const [first] = jobs;
  const name = nameOf(jobs);
  if (kind === "started") return queue.announce.started(name);
  if (kind === "quarter") return queue.announce.quarter(name, formats.percent(announcement.percent));
  if (kind === "waits") {
    const words = jobs.some(isCatchingUp) ? job.catchingUp : job.siteWait;
    return queue.announce.waits(name, words.later(formats.countdown(announcement.resumesAt, Date.now())));
  }
  if (first?.batchId !== undefined) return queue.announce.ended(name, outcomeOf(jobs));
  return first?.status === "failed" ? queue.announce.failed(name, sentenceOf(first.error)) : queue.announce.ready(name);
}

function lineFor(announcement: Announcement): Line {
  const [first] = announcement.jobs;
  return {
    about: first?.batchId ?? first?.id ?? "",
    text: sentenceFor(announcement),
    isEnd: announcement.kind === "ended",
  };
}

/** @returns a handler that announces the changes of the queue */
export function announceJobs(announce: AnnouncerState["announce"]) {
  return (change: QueueChange): void => {
    const announcements = announcementsOf(change);
    if (announcements.length > 0) announce(announcements.map(lineFor));
  };
}
