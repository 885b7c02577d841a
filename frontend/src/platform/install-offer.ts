/** The browser's offer to install the site as an app. Only Chromium has it. */
import { createStore } from "zustand/vanilla";

/** Not in TypeScript's library, because it is no standard. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>;
}

export const installOffer = createStore<{ readonly offer: InstallOffer | null }>()(() => ({ offer: null }));

const isOffer = (event: Event): event is InstallOffer => "prompt" in event && typeof event.prompt === "function";

/** Must be called before the page has loaded, because the event comes once. */
export function listenForInstallOffer(): void {
  window.addEventListener("beforeinstallprompt", (event) => isOffer(event) && installOffer.setState({ offer: event }));
  window.addEventListener("appinstalled", () => installOffer.setState({ offer: null }));
}
