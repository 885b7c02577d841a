import type { SpeedTexts } from "./en.ts";

export const de: SpeedTexts = {
  title: "Wie lange es dauert",
  description: "Wie lange Umwandlungen in den letzten Tagen dauerten, wohin die Zeit ging und was versprochen war.",
  lead: (days) => `Vom Druck auf Umwandeln bis zur Datei, gemessen in den letzten ${days}.`,
  conversions: "Umwandlungen",
  half: "Die Hälfte dauerte höchstens",
  nineInTen: "Neun von zehn dauerten höchstens",
  where: "Wohin die Zeit ging",
  parts: {
    wait: "Warten, bis sie dran waren",
    site: "Fragen an die Videoseite",
    line: "Laden des Videos",
    ours: "Fertigstellen der Datei",
  },
  promise: "Versprochen und gehalten",
  kept: (percent) => `${percent} der Dateien waren zur ersten geschätzten Zeit da oder höchstens ein Zehntel später.`,
  off: (percent) => `Die Hälfte der ersten Schätzungen lag um höchstens ${percent} daneben.`,
  noPromise: "Die meisten Dateien waren da, bevor es eine Schätzung gab.",
  byDay: "Tag für Tag",
  day: "Tag",
  counted: "Dateien, die schon da waren, und Videos, deren Seite warten ließ, zählen nicht.",
  tooFew: "Es sind zu wenige Umwandlungen, um etwas zu sagen. Schau in ein, zwei Tagen wieder vorbei.",
  failed: "Die Zeiten konnten nicht gelesen werden.",
  receipt: {
    total: (span) => `${span} von Umwandeln bis zur Datei`,
    promised: (span) => `Die erste Schätzung war: ${span}.`,
    all: "Wie lange es bei allen dauert",
  },
  retry: "Noch einmal versuchen",
};
