import type { FeedTexts } from "./en.ts";

export const de: FeedTexts = {
  title: "Meine Tapes als Podcast",
  about: (kept) =>
    `Hör in jeder Podcast-App und auf allen deinen Geräten, was du in Ton umwandelst. In deinem Tarif bleibt ein Tape ${kept}.`,
  loading: "Der Feed wird geladen",
  notLoaded: "Der Feed konnte nicht geladen werden.",
  retry: "Noch einmal versuchen",
  none: "Noch keine Adresse",
  failed: "Das hat nicht geklappt. Prüf deine Verbindung und versuch es noch einmal.",
  make: "Adresse erstellen",
  on: "Dein Feed ist an",
  since: (day) => `Adresse erstellt: ${day}`,
  neverRead: "noch von keiner App gelesen",
  lastRead: (day) => `zuletzt gelesen: ${day}`,
  copyNow:
    "Kopier diese Adresse jetzt in deine Podcast-App. Sie wird nicht noch einmal gezeigt, und wer sie hat, kann mithören.",
  open: "In einer Podcast-App öffnen",
  copy: "Kopieren",
  copied: "Kopiert",
  done: "Fertig",
  renewal: {
    revoke: "Neue Adresse",
    revokeNamed: (name) => `Neue Adresse für ${name}`,
    revokeForGood: "Alte Adresse ersetzen",
    keep: "Behalten",
  },
  revoke: "Ausschalten",
  revokeNamed: (name) => `${name} ausschalten`,
  revokeForGood: "Endgültig ausschalten",
  keep: "Behalten",
};
