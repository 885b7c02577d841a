/**
 * The part of the browsers' interface for extensions that is used here. Chrome and Firefox have it under the same name,
 * with promises. What comes out of it and was stored or sent by this extension is parsed where it is used.
 */

/** Where listeners are added while the script of the background runs for the first time; else they are never called. */
interface BrowserEvent<Listener> {
  addListener(listener: Listener): void;
}

interface StorageArea {
  get(key: string): Promise<Readonly<Record<string, unknown>>>;
  set(items: Readonly<Record<string, unknown>>): Promise<void>;
}

export interface Tab {
  /** Known for the tab in which the button was pressed. */
  readonly url?: string;
}

interface Browser {
  readonly action: {
    readonly onClicked: BrowserEvent<(tab: Tab) => void>;
    setBadgeText(details: { readonly text: string }): Promise<void>;
    setBadgeBackgroundColor(details: { readonly color: string }): Promise<void>;
    setBadgeTextColor(details: { readonly color: string }): Promise<void>;
    setTitle(details: { readonly title: string }): Promise<void>;
    /** With an empty path, a press of the button calls `onClicked`. */
    setPopup(details: { readonly popup: string }): Promise<void>;
  };
  readonly alarms: {
    readonly onAlarm: BrowserEvent<() => void>;
    create(name: string, alarm: { readonly periodInMinutes: number }): Promise<void>;
    clear(name: string): Promise<boolean>;
  };
  readonly downloads: {
    download(options: {
      readonly url: string;
      readonly headers: readonly { readonly name: string; readonly value: string }[];
      readonly filename?: string;
    }): Promise<number>;
  };
  readonly i18n: { getUILanguage(): string };
  readonly permissions: {
    contains(permissions: { readonly origins: readonly string[] }): Promise<boolean>;
    request(permissions: { readonly origins: readonly string[] }): Promise<boolean>;
  };
  readonly runtime: {
    readonly onMessage: BrowserEvent<
      /** @returns true when it answers later */
      (message: unknown, sender: unknown, answer: (value: unknown) => void) => boolean
    >;
    sendMessage(message: unknown): Promise<unknown>;
    openOptionsPage(): Promise<void>;
  };
  readonly storage: {
    readonly local: StorageArea;
    readonly session: StorageArea;
    readonly onChanged: BrowserEvent<
      (
        changes: Readonly<Record<string, { readonly newValue?: unknown; readonly oldValue?: unknown }>>,
        area: string,
      ) => void
    >;
  };
}

declare const chrome: Browser;

export const browser = chrome;
