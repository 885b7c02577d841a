import type { HelpTexts } from "./en.ts";

export const de = {
  anywhere: {
    title: "Von überall",
    bookmark: {
      text: "Zieh diese Schaltfläche zu deinen Lesezeichen. Drück auf der Seite eines Videos auf das Lesezeichen: Tapedeck öffnet sich mit dem Link und zeigt, was umgewandelt wird.",
      name: "Mit Tapedeck umwandeln",
      drag: "Zieh sie in deine Lesezeichenleiste: Hier bewirkt ein Druck nichts. Ohne Maus kopierst du den Code und machst ihn zur Adresse eines Lesezeichens.",
      copy: "Code kopieren",
      copied: "Kopiert. Mach daraus die Adresse eines Lesezeichens.",
    },
    shortcut: {
      title: "Über die Teilen-Taste eines iPhones oder iPads",
      steps: {
        token:
          "Erstell in deiner Übersicht ein Token, das lesen, umwandeln und herunterladen darf. Es steht unten für TOKEN.",
        make: "Erstell in der App Kurzbefehle einen neuen Kurzbefehl. Schalte in seinen Details „Im Share-Sheet anzeigen“ ein und lass ihn URLs empfangen.",
        convert:
          "Füg „Inhalte von URL abrufen“ hinzu, mit dieser Adresse, Methode, Kopfzeile und diesem JSON. Der Wert von youtubeUrl ist die Variable Kurzbefehleingabe.",
        answer:
          "Füg „Wörterbuchwert abrufen“ für id hinzu. Gibt es keinen Wert, zeig den Wert von message, der sagt, was nicht stimmt, und stopp den Kurzbefehl.",
        look: "Füg „Wiederholen“ hinzu, 300-mal. Hinein kommt „Inhalte von URL abrufen“ mit dieser Adresse, in der ID der Wert von id ist, und „Wörterbuchwert abrufen“ für status.",
        file: "Wenn der Status completed ist: „Inhalte von URL abrufen“ mit dieser Adresse, dann „Datei sichern“, dann „Diesen Kurzbefehl stoppen“.",
        other: "Wenn der Status failed ist: Zeig den Wert von error.message und stopp. Sonst: 2 Sekunden warten.",
      },
    },
    programs: {
      title: "Als Browser-Erweiterung, auf der Kommandozeile, im eigenen Programm",
      text: "Zum Quelltext von Tapedeck gehören eine Erweiterung für Chrome und Firefox mit einer Schaltfläche und der Befehl tapedeck. Beide arbeiten mit einem Token aus deiner Übersicht. Was sie tun, kann auch dein eigenes Programm:",
      link: "Wie Programme Tapedeck aufrufen",
    },
  },
  more: {
    title: "Noch eine Frage?",
    text: "Auf der Kontaktseite stehen häufige Fragen und die Adresse unseres Supports.",
    button: "Support kontaktieren",
  },
} satisfies HelpTexts;
