import { ignoreStorageErrors } from "../platform/storage-errors.ts";
import {
  ACTIVATION_KEY,
  CURRENT_JOB_KEY,
  HAS_JOBS_KEY,
  OLD_LANGUAGE_KEY,
  OUTBOX_KEY,
  REMOVALS_KEY,
} from "../platform/storage-keys.ts";
import { languageInCookie } from "../texts/language-choice.ts";

/** Whether the page was prerendered, and not left empty for the app. */
function isPrerendered(): boolean {
  return document.getElementById("root")?.firstElementChild != null;
}

/** Whether the page says that it waits for the app: it loads something, or opens another page. */
function waitsForApp(): boolean {
  return document.querySelector("[data-waits-for-app]") !== null;
}

/** False for the page that the service worker has stored, which names no visitor. */
function isSignedOut(): boolean {
  const viewer = document.querySelector<HTMLMetaElement>("meta[name=viewer]");
  return viewer?.content.includes('"authenticated":false') === true;
}

/** Whether something is stored that the app shows or continues; true if the browser refuses to say. */
function isSomethingStored(): boolean {
  return (
    ignoreStorageErrors(
      () =>
        [HAS_JOBS_KEY, OUTBOX_KEY, REMOVALS_KEY, OLD_LANGUAGE_KEY].some(
          (key) => window.localStorage.getItem(key) !== null,
        ) || [CURRENT_JOB_KEY, ACTIVATION_KEY].some((key) => window.sessionStorage.getItem(key) !== null),
    ) ?? true
  );
}

/** Whether the page comes in another language than the chosen one, for example from the browser's cache. */
function isInOtherLanguage(): boolean {
  const chosen = languageInCookie();
  return chosen !== null && chosen !== document.documentElement.lang;
}

/**
 * Whether the page needs the app before the visitor uses it. Must be called when the document is parsed.
 * A query may be a shared link, a form that was sent before the app ran, or a payment that returns.
 */
export function isAppNeededAtOnce(): boolean {
  return (
    !isPrerendered() ||
    waitsForApp() ||
    !isSignedOut() ||
    window.location.search !== "" ||
    isInOtherLanguage() ||
    isSomethingStored()
  );
}
