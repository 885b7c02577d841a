import { pluralIn } from "../plural.ts";
import type { ChoicesTexts } from "./en.ts";

const plural = pluralIn("de");

export const de: ChoicesTexts = {
  button: "Auswahl",
  name: "Auswahl für dieses Video",
  tabs: { cut: "Schnitt", format: "Format", subtitles: "Untertitel", tags: "Angaben" },
  noLength: "Die Länge dieses Videos ist nicht bekannt, daher lässt sich kein Teil davon nehmen.",
  formats: {
    title: "Weitere Formate",
    names: { original: "Originalton", flac: "FLAC", wav: "WAV", transcript: "Transkript" },
    purposes: {
      original: "Wie die Seite ihn hat, M4A oder Opus: nicht neu kodiert, also ohne Verlust.",
      flac: "Für Musiksammlungen, die FLAC wollen. Größer als der Originalton, nicht besser.",
      wav: "Unkomprimiert, für Schnittprogramme. Am größten.",
      transcript: "Was gesagt wird, als Text: die Untertitel als eigene Datei.",
    },
    forPro: "mit Pro",
  },
  part: {
    title: "Ein Teil davon",
    start: "Anfang",
    end: "Ende",
    startHandle: "Anfang des Teils",
    endHandle: "Ende des Teils",
    chosen: (length) => `${length} gewählt`,
    chapter: "Kapitel",
    noChapter: "Kapitel wählen",
    whole: "Das ganze Video nehmen",
    problems: {
      time: "Schreib eine Zeit wie 1:02:03.",
      order: "Das Ende muss mindestens eine Sekunde nach dem Anfang liegen.",
      beyond: (end) => `Das Video endet bei ${end}.`,
    },
  },
  chapterFiles: {
    title: "Kapitel",
    one: "Eine Datei pro Kapitel",
    purpose: "Die Kapitel als nummerierte Dateien mit Angaben, zusammen in einem ZIP.",
  },
  sponsored: {
    ofMany: "In Videos von YouTube, wie Zuschauer sie in SponsorBlock markiert haben.",
    title: "Gesponserte Abschnitte",
    keep: "Behalten",
    mark: "Als Kapitel markieren",
    cut: "Herausschneiden",
    found: (count, length) =>
      `${plural(count, { one: "Ein Abschnitt", other: `${count} Abschnitte` })}, ${length}, von Zuschauern bei SponsorBlock markiert.`,
    notOriginal:
      "Der Originalton wird unverändert kopiert, daraus lässt sich nichts schneiden; Markieren fügt Kapitel hinzu.",
  },
  sound: {
    title: "Sprache des Tons",
    original: (language: string) => `${language} (Original)`,
  },
  many: {
    cut: "Ein Teil lässt sich nur von einem einzelnen Video nehmen, nicht von mehreren.",
    tags: "Jedes Video behält die Angaben seiner Seite. Ändern lassen sie sich nur für ein einzelnes Video.",
    language: "Ein Video ohne diese Sprache schlägt fehl; die anderen laufen weiter.",
    original: "Das Original jedes Videos",
  },
  subtitles: {
    title: "Untertitel",
    none: "Keine",
    automatic: (language: string) => `${language} (automatisch)`,
    noneThere: "Dieses Video hat keine Untertitel.",
    onlyMp4: "Wähl MP4, um sie hinzuzufügen, oder Transkript für eine eigene Datei: Andere Formate nehmen keine auf.",
    own: "Die Sprache des Videos",
    kind: "Art der Datei",
    kinds: {
      srt: "SRT: mit Zeiten, für Player",
      vtt: "VTT: mit Zeiten, für Webseiten",
      txt: "Reiner Text, ohne Zeiten",
    },
  },
  tags: {
    title: "Angaben in der Datei",
    song: "Titel",
    artist: "Interpret",
    album: "Album",
    date: "Datum",
    dateExample: "2024-05-17",
    description: "Beschreibung",
    asFound: "Angaben der Seite nehmen",
  },
};
