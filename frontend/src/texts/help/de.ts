import type { Figures } from "../figures.ts";
import type { HelpTexts } from "./en.ts";

export const de = {
  title: "Hilfe",
  description:
    "Antworten rund um das Umwandeln von Videolinks in MP3 und MP4, um Konten und Pro, Probleme, Downloads und die Aufbewahrung von Dateien.",
  lead: "Die häufigsten Fragen, in wenigen Zeilen beantwortet.",
  groups: (f: Figures) => [
    {
      title: "Erste Schritte",
      questions: [
        {
          question: "Wie wandle ich ein Video um?",
          answer:
            "Füg den Link auf der Startseite ein, wähl MP3 für den Ton oder MP4 für das Bild und drück auf Umwandeln. Die Umwandlung erscheint in der Liste darunter und sagt dir, was sie gerade tut, bis die Datei da ist. Erscheint „Laden“ schon vorher, kannst du es gleich drücken: Du bekommst, was da ist, und dann den Rest, so wie er entsteht.",
        },
        {
          question: "Welches Format soll ich wählen?",
          answer: `MP3 läuft überall, MP4 hat das Bild. Der Originalton ist der des Videos, M4A oder Opus: Er wird nicht neu kodiert, verliert also nichts und ist am schnellsten fertig. ${f.proFormats} (Pro) sind für Programme, die nichts anderes annehmen: Sie sind größer, nicht besser.`,
        },
        {
          question: "Kann ich die Untertitel haben?",
          answer:
            "Ja, wenn das Video welche hat, auch solche, die seine Seite maschinell erstellt hat. Drück auf Auswahl, sobald die Vorschau deines Links da ist: Bei MP4 sind sie eine Spur, die du einschalten kannst, und Transkript macht daraus eine eigene Datei: SRT oder VTT mit Zeiten oder reinen Text. Du wählst eine Sprache; ohne Wahl ist es die des Videos, und was jemand geschrieben hat, kommt vor dem, was eine Maschine gehört hat. Gibt es keine, sagt es die Vorschau.",
        },
        {
          question: "Kann ich nur einen Teil nehmen oder den Titel ändern?",
          answer:
            "Ja. Sobald die Vorschau deines Links da ist, drück auf Auswahl: Mit zwei Griffen und zwei Feldern legst du fest, wo der Teil anfängt und endet, und darunter änderst du Titel, Interpret, Album, Datum und Beschreibung der Datei. Die Grenzen deines Tarifs gelten für den Teil, ein paar Minuten aus einem sehr langen Vortrag gehen also. Wo ein Video Kapitel hat, macht Pro auf Wunsch aus jedem eine Datei, alle in einem ZIP.",
        },
        {
          question: "Kann man gesponserte Abschnitte weglassen?",
          answer:
            "Ja, wo diese Seite sie bei SponsorBlock nachschlägt, einer Liste von Zuschauern für YouTube, und dein Video welche hat: Unter Auswahl kannst du sie dann als Kapitel markieren oder herausschneiden. Was geschnitten wird, wird neu kodiert. Der Originalton wird unverändert kopiert, dort lassen sie sich nur markieren.",
        },
        {
          question: "Welche Links funktionieren?",
          answer:
            "Links zu öffentlichen Videos auf YouTube, in jeder Form, die die Seite anbietet: die Adresse der Seite, ein kurzer youtu.be-Link oder der Link zu einem Short. Links zu Playlists, Kanälen, Alben und Podcasts gehen auch: Du wählst aus ihren Videos. Livestreams, private Videos und Videos hinter einer Anmeldung lassen sich nicht umwandeln.",
        },
        {
          question: "Kann ich eine Playlist oder einen Kanal umwandeln?",
          answer: `Ja. Füge den Link ein: Die Videos erscheinen unter dem Feld, bis zu ${f.listEntries}, und du durchsuchst ihre Titel und wählst. Der kostenlose Tarif wandelt eines nach dem anderen um. Mit Pro wählst du so viele, wie du willst; sie werden in Stapeln zu ${f.pro.batch} umgewandelt, einer nach dem anderen, auch wenn die Seite geschlossen ist.`,
        },
        {
          question: "Wie lange dauert eine Umwandlung?",
          answer: `Meist ${f.usualFrom} bis ${f.usualTo} Minuten. Es hängt von der Länge des Videos ab und davon, wie viel gerade los ist; Umwandlungen von Pro-Mitgliedern kommen zuerst an die Reihe.`,
        },
        {
          question: "Brauche ich ein Konto?",
          answer:
            "Nein. Ohne Konto wandelst du einzelne Links in den Grenzen des Gratis-Tarifs um. Ein Konto ist für Pro da, und um deine Umwandlungen auf allen Geräten zu sehen.",
        },
      ],
    },
    {
      title: "Konto",
      questions: [
        {
          question: "Was bringt mir Pro?",
          answer: `MP3 mit ${f.pro.mp3} statt ${f.free.mp3}, MP4 mit ${f.pro.mp4} statt ${f.free.mp4}, ${f.proFormats}, bis zu ${f.pro.length} Video, Dateien bis ${f.pro.size}, bis zu ${f.pro.batch} Links auf einmal, Dateien liegen ${f.pro.kept} lang bereit, ein Platz ganz vorn in der Warteschlange und keine Werbung.`,
        },
        {
          question: "Was kostet es?",
          answer: `${f.monthly} im Monat oder ${f.yearly} im Jahr, bezahlt per Karte. Weitere Gebühren gibt es nicht.`,
        },
        {
          question: "Wie kündige ich?",
          answer:
            "Jederzeit, mit wenigen Klicks und ohne Angabe von Gründen. Pro bleibt dir bis zum Ende des bezahlten Zeitraums.",
        },
        {
          question: "Bekomme ich mein Geld zurück?",
          answer: `Ja. Bis ${f.refund} nach einer Zahlung erstatten wir sie vollständig; eine Nachricht an uns genügt.`,
        },
        {
          question: "Wie lösche ich mein Konto?",
          answer: `In deiner Übersicht unter Konto. Deine Dateien verschwinden sofort, und alles, was über dich gespeichert ist, wird spätestens ${f.deletion} danach entfernt.`,
        },
      ],
    },
    {
      title: "Technische Hilfe",
      questions: [
        {
          question: "Warum ist meine Umwandlung fehlgeschlagen?",
          answer:
            "Die Zeile unter dem Titel sagt, warum, und was du tun kannst. Manches geht vorbei: Dann startet Erneut die Umwandlung noch einmal. Ist ein Video privat, im Land unseres Servers gesperrt oder verschwunden, hilft kein neuer Versuch.",
        },
        {
          question: "Warum wird mein Link abgelehnt?",
          answer:
            "Meist, weil er zu einer nicht unterstützten Seite oder zu einer Seite ohne Video führt. Öffne das Video selbst und kopier die Adresse seiner Seite.",
        },
        {
          question: "Die Seite stellt die Verbindung wieder her. Ist meine Umwandlung verloren?",
          answer:
            "Nein. Umwandlungen laufen auf unserem Server und gehen ohne dich weiter. Sobald deine Verbindung wieder da ist, holt die Liste von selbst auf.",
        },
        {
          question: "Ist der Dienst immer da?",
          answer: `Unser Ziel sind ${f.uptime} der Zeit. Das ist ein Ziel und keine Garantie; nach einer Unterbrechung beginnen laufende Umwandlungen von selbst neu.`,
        },
      ],
    },
    {
      title: "Downloads und Dateien",
      questions: [
        {
          question: "Wie lange liegen meine Dateien bereit?",
          answer: `${f.free.kept} im Gratis-Tarif und ${f.pro.kept} mit Pro, ab dem Moment, in dem sie fertig sind. Dann werden sie endgültig gelöscht. Bei jeder fertigen Umwandlung steht, wie viel Zeit noch bleibt.`,
        },
        {
          question: "Wie groß darf eine Datei sein?",
          answer: `${f.free.size} und ${f.free.length} Video im Gratis-Tarif, ${f.pro.size} und ${f.pro.length} mit Pro. Wäre ein Video zu groß, nehmen wir eine geringere Qualität und sagen es dir, solange sie noch sehenswert ist.`,
        },
        {
          question: "Mein Download wurde unterbrochen. Muss ich von vorn anfangen?",
          answer:
            "Nein. Browser und Downloadprogramme machen dort weiter, wo sie aufgehört haben, solange die Datei noch da ist.",
        },
        {
          question: "Wer kann meine Dateien sehen?",
          answer:
            "Nur du: der Browser, der sie erstellt hat, und deine anderen Geräte, wenn du angemeldet bist. Bei allen anderen funktioniert ein Downloadlink nicht.",
        },
        {
          question: "Was darf ich umwandeln?",
          answer:
            "Was du kopieren darfst: deine eigenen Videos, gemeinfreie Werke, Werke, deren Lizenz es erlaubt, und Werke, deren Inhaber zugestimmt hat.",
        },
      ],
    },
  ],
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
