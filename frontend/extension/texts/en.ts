import type { Language } from "../../../common/languages.ts";

export const en = {
  language: "en" as Language,
  /** In the list of extensions. */
  about: "Converts the page you are on to MP3 or MP4, on your Tapedeck server.",
  convert: "Convert this page",
  starting: "Starting …",
  /** @param percent undefined while the conversion waits */
  progress: (title: string, percent: number | undefined) =>
    percent === undefined ? `${title}: waiting` : `${title}: ${percent} %`,
  download: (titles: string) => `Ready. Press to download: ${titles}`,
  lost: "The connection is lost. Trying again …",
  noServer: (server: string) => `No connection to ${server}. Check the address and your network, then try again.`,
  notAllowed: (server: string) => `The browser does not let this extension reach ${server}. Save the settings again.`,
  pages: {
    options: {
      title: "Tapedeck in your browser",
      server: "Address of the server",
      token: "Token",
      aboutToken: "Make one on your dashboard that may read, convert and download.",
      dashboard: "Open the dashboard",
      format: "Convert pages to",
      save: "Save",
      saved: (name: string) => `Hello ${name}. Everything is set.`,
      noAddress: "That is not the address of a server. It looks like https://tapedeck.example.",
      needsPermission: "Without this permission the extension cannot reach the server. Save again and allow it.",
      openToReaders: "This server has no https: others on the way can read the token.",
    },
    problem: { title: "That did not work", retry: "Try again", settings: "Settings" },
  },
};

export type ExtensionTexts = typeof en;
