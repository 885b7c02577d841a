import type { DownloadTexts } from "./en.ts";

export const de: DownloadTexts = {
  share: "Download öffnet das Teilen-Menü: „In Dateien sichern“ wählen.",
  loading: "Die Datei wird geladen …",
  loadingTo: (percent: string) => `Die Datei wird geladen: ${percent}`,
  ready: "Die Datei ist geladen. Noch einmal auf Download tippen.",
  failed: "Die Datei konnte nicht geladen werden. Noch einmal auf Download tippen.",
  tooLarge: "Diese Datei ist zu groß, um sie hier zu teilen. Öffne sie im Browser.",
  unsupported: "Diese App kann die Datei nicht teilen. Öffne sie im Browser.",
  inside: "Diese App speichert vielleicht keine Dateien. Öffne die Datei im Browser.",
  waits: "Andere Dateien werden noch geladen. Diese startet, sobald sie fertig ist.",
  open: "Im Browser öffnen",
  copy: "Adresse kopieren",
  copied: "Kopiert: im Browser einfügen",
  address: "Adresse für den Browser",
};
