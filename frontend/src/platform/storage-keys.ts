/** Keys of the browser's storage that `first-use` reads too: it must not load the modules that write them. */

/** Whether the visitor has jobs. index.html reads the same key before the first paint. */
export const HAS_JOBS_KEY = "tapedeck.has-jobs";
/** The requests without an answer. */
export const OUTBOX_KEY = "tapedeck.requests";
/** Removals that could still be undone when their page ended. */
export const REMOVALS_KEY = "tapedeck.removals";
/** Where earlier builds stored the language. */
export const OLD_LANGUAGE_KEY = "tapedeck.language";
/** In the storage of the tab: the job in the converter. */
export const CURRENT_JOB_KEY = "tapedeck.current-job";
/** In the storage of the tab: when a payment was confirmed that the server has not reported yet. */
export const ACTIVATION_KEY = "tapedeck.activation-began-at";
