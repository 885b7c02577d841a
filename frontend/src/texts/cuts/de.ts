import type { CutTexts } from "./en.ts";

export const de: CutTexts = {
  cutAgain: "Neu schneiden",
  cutAgainOf: (title) => `Neu schneiden: ${title}`,
  close: "Schließen",
  loading: "Der Ton wird gezeichnet …",
  noWaveform: "Der Ton konnte nicht gezeichnet werden. Du kannst auch ohne ihn schneiden.",
  again: "Noch einmal versuchen",
  playStart: "Anfang hören",
  playEnd: "Ende hören",
  address: "Link zu diesem Teil",
  copyLink: "Link kopieren",
  copied: "Kopiert",
  cut: "Schneiden",
  cutting: "Wird geschnitten …",
  gone: "Diese Datei gibt es nicht mehr. Wandle den Teil über seinen Link um.",
  failed: "Die Datei konnte nicht geschnitten werden. Prüfe deine Verbindung und versuch es noch einmal.",
};
