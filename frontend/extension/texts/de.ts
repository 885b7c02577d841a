import type { ExtensionTexts } from "./en.ts";

export const de: ExtensionTexts = {
  language: "de",
  about: "Wandelt die geöffnete Seite in MP3 oder MP4 um, auf deinem Tapedeck-Server.",
  convert: "Diese Seite umwandeln",
  starting: "Wird gestartet …",
  progress: (title, percent) => (percent === undefined ? `${title}: wartet` : `${title}: ${percent} %`),
  download: (titles) => `Fertig. Drücken zum Herunterladen: ${titles}`,
  lost: "Die Verbindung ist unterbrochen. Neuer Versuch …",
  noServer: (server) => `Keine Verbindung zu ${server}. Prüf die Adresse und dein Netz und versuch es noch einmal.`,
  notAllowed: (server) =>
    `Der Browser lässt diese Erweiterung nicht zu ${server}. Speichere die Einstellungen noch einmal.`,
  pages: {
    options: {
      title: "Tapedeck in deinem Browser",
      server: "Adresse des Servers",
      token: "Token",
      aboutToken: "Erstell in deiner Übersicht eines, das lesen, umwandeln und herunterladen darf.",
      dashboard: "Übersicht öffnen",
      format: "Seiten umwandeln in",
      save: "Speichern",
      saved: (name) => `Hallo ${name}. Alles ist eingerichtet.`,
      noAddress: "Das ist keine Adresse eines Servers. Sie sieht aus wie https://tapedeck.example.",
      needsPermission:
        "Ohne diese Erlaubnis erreicht die Erweiterung den Server nicht. Speichere noch einmal und erlaube es.",
      openToReaders: "Dieser Server hat kein https: Andere auf dem Weg können das Token lesen.",
    },
    problem: { title: "Das hat nicht geklappt", retry: "Erneut versuchen", settings: "Einstellungen" },
  },
};
