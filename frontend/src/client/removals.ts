/** The removals of ended jobs, which the visitor can undo for a while at the place of a toast. */
import { createRemovalsStore } from "../stores/removals.ts";
import { currentTexts } from "../texts/store.ts";
import type { Job } from "../../../common/job.ts";
import { announcer } from "./announcer.ts";
import { jobActions } from "./requests.ts";
import { hookOf } from "./store-hook.ts";
import { jobs } from "./stores.ts";
import { closeToast } from "./toaster.ts";

export const removals = createRemovalsStore({ jobs, send: (id) => jobActions.remove(id) });

/** Removes an ended job. @param isPressed with a pointer, which is still at the place of its row */
export function removeJob(job: Job, isPressed: boolean): void {
  closeToast();
  removals.getState().remove(job, isPressed);
  announcer.getState().announce([{ about: job.id, text: currentTexts().job.removed(job.title), isEnd: true }]);
}

export const { undo: undoRemoval, letGo: letGoOfRemoval } = removals.getState();
export const useRemovals = hookOf(removals);
