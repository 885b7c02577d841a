/** The client's one store of what rows say about downloads; not part of the first scripts. */
import { createDownloadNotesStore } from "../stores/download-notes.ts";
import { hookOf } from "./store-hook.ts";

export const downloadNotes = createDownloadNotesStore();

export const useDownloadNotes = hookOf(downloadNotes);
