/** The forms that start conversions: one link, several, or a choice from a list, with their preview. */
import { createConvertLink } from "../actions/convert-link.ts";
import { savesData } from "../platform/data-saver.ts";
import { isJobPlaceInView } from "../platform/job-place.ts";
import { createBatchStore } from "../stores/batch.ts";
import { choicesFor, choicesForMany } from "../stores/choices.ts";
import { createConverterStore } from "../stores/converter.ts";
import { createIntakeStore } from "../stores/intake.ts";
import { createPreviewStore } from "../stores/preview.ts";
import { refusalOf, refusalSentence, withRefusal } from "../stores/refusal.ts";
import { SM } from "../theme/narrow.ts";
import type { SelectionAnswer } from "../../../common/api.ts";
import type { Album } from "../../../common/choices.ts";
import type { CreateSelection } from "../../../common/lists.ts";
import { TIERS, type Format } from "../../../common/tiers.ts";
import { addAllStarted, addStarted } from "./own-jobs.ts";
import { requests } from "./requests.ts";
import { hookOf } from "./store-hook.ts";
import { api, choices, currentTier, device, previewed, videoHosts } from "./stores.ts";
import { notify } from "./toaster.ts";

const chosenForMany = (format: Format, album?: Album) =>
  choicesForMany(format, { ...choices.getState().choices, album });

export const preview = createPreviewStore({ load: api.preview, videoHosts, tier: currentTier, savesData });

/** On phones a toast would cover the whole bar; the job's row says the same. */
const isStartShown = (): boolean => !window.matchMedia(`(min-width: ${SM})`).matches && isJobPlaceInView();

export const converter = createConverterStore({
  createConversion: requests.createConversion,
  onCreated(job, link, chosen) {
    const { view } = preview.getState();
    if (chosen) previewed.getState().add(job.id, { ...chosen, thumbnail: null });
    else if (view.phase === "ready") previewed.getState().add(job.id, view.preview);
    addStarted(job, link);
  },
  isJobInView: isStartShown,
  notify,
  videoHosts: () => device.getState().config?.videoHosts ?? null,
  choices: (format, album) =>
    showsList() ? chosenForMany(format, album) : choicesFor(format, choices.getState().choices),
  refusal(format) {
    const view = withRefusal(preview.getState().view, converter.getState().problem);
    const found = refusalOf(view, format, currentTier());
    return found && refusalSentence(found);
  },
});

export const batch = createBatchStore({
  createBatch: requests.createBatch,
  onCreated: addAllStarted,
  notify,
  videoHosts,
  format: () => converter.getState().format,
  choices: chosenForMany,
});

const intake = createIntakeStore({
  converter,
  batch,
  videoHosts,
  canBatch: () => TIERS[currentTier()].batchSize > 1,
});

/** Takes links that are pasted, dropped or shared outside of a field; see {@link IntakeState.takeLinks}. */
export const { takeLinks } = intake.getState();
/** Whether the submitted link is on its way; false when it was refused here. */
export const isStarting = (): boolean => converter.getState().isPending;
/** Whether Convert is about what is chosen from a list. */
export const showsList = (): boolean => converter.getState().list !== null;
/** Submit and format of the single link field, for use outside of its form; see {@link ConverterState.submit}. */
export const { submit: startConversion, setFormat: chooseFormat, showList } = converter.getState();

/** What was chosen from a list. */
export interface ChosenEntries extends Pick<CreateSelection, "title" | "urls" | "tracks" | "asOneFile"> {
  /** The album that the list is. */
  readonly album?: Album | undefined;
}

/** Queues what was chosen from a list. */
export async function createSelection(
  { album, ...input }: ChosenEntries,
  signal: AbortSignal,
): Promise<SelectionAnswer> {
  const { format } = converter.getState();
  const answer = await requests.createSelection({ ...input, format, choices: chosenForMany(format, album) }, signal);
  addAllStarted([...(answer.tape ? [answer.tape] : []), ...answer.jobs]);
  return answer;
}

export const convertLink = createConvertLink({
  createConversion: requests.createConversion,
  onCreated: addStarted,
  isJobInView: isStartShown,
  notify,
});

/** Puts a link into the field, with the choices open, to take a part of its video or to choose otherwise. */
export function chooseAgain(link: string, format: Format): void {
  batch.getState().choose(false);
  converter.getState().setLink(link);
  converter.getState().setFormat(format);
  choices.getState().setOpen(true);
}

/** Lets the visitor paste the link of a job that was started in another browser. */
export function askForLink(format: Format): void {
  batch.getState().choose(false);
  converter.getState().setFormat(format);
  intake.setState({ needsFocus: true });
}

export const useConverter = hookOf(converter);
export const useBatch = hookOf(batch);
export const usePreview = hookOf(preview);
export const useIntake = hookOf(intake);
