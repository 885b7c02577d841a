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
            "Füg den Link auf der Startseite ein, wähl MP3 für den Ton oder MP4 für das Bild und drück auf Umwandeln. Die Umwandlung erscheint in der Liste darunter und sagt dir, was sie gerade tut, bis die Datei da ist.",
        },
        {
          question: "Welche Links funktionieren?",
          answer:
            "Links zu einzelnen öffentlichen Videos auf YouTube, in jeder Form, die die Seite anbietet: die Adresse der Seite, ein kurzer youtu.be-Link oder der Link zu einem Short. Livestreams, Playlists, private Videos und Videos hinter einer Anmeldung lassen sich nicht umwandeln.",
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
          answer: `MP3 mit ${f.pro.mp3} statt ${f.free.mp3}, MP4 mit ${f.pro.mp4} statt ${f.free.mp4}, bis zu ${f.pro.length} Video, Dateien bis ${f.pro.size}, bis zu ${f.pro.batch} Links auf einmal, Dateien liegen ${f.pro.kept} lang bereit, ein Platz ganz vorn in der Warteschlange und keine Werbung.`,
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
            "Meist, weil er zu einer Playlist, einem Kanal oder einer nicht unterstützten Seite führt. Öffne das Video selbst und kopier die Adresse seiner Seite.",
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
  more: { title: "Noch eine Frage?", text: "Schreib uns; ein Mensch liest es.", button: "Support kontaktieren" },
} satisfies HelpTexts;
