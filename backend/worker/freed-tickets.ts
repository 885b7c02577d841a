import type { Agenda, JobId, JobParameters } from "agenda";

/**
 * Calls `forget` with each ticket whose run has ended, or that Agenda unlocks without running it. Agenda says nothing of
 * a ticket that it drops because its lock has ended, or that was removed when its run began.
 */
export function onFreedTicket(agenda: Agenda, forget: (id: JobId) => void): void {
  const repository = agenda.db;
  const unlockOne = repository.unlockJob.bind(repository);
  const unlockMany = repository.unlockJobs.bind(repository);
  const forgetOne = ({ _id }: JobParameters): void => {
    if (_id) forget(_id);
  };
  repository.unlockJob = (ticket) => {
    forgetOne(ticket);
    return unlockOne(ticket);
  };
  repository.unlockJobs = (ids) => {
    for (const id of ids) forget(id as JobId);
    return unlockMany(ids);
  };
  agenda.on("complete", ({ attrs }: { attrs: JobParameters }) => forgetOne(attrs));
}
