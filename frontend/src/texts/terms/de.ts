import type { Figures } from "../figures.ts";
import type { LegalText } from "../legal.ts";

export const de = (f: Figures): LegalText => ({
  title: "Nutzungsbedingungen",
  description:
    "Die Regeln für Tapedeck: was umgewandelt werden darf, die Tarife, Zahlung, Kündigung und Erstattung, und wo man ein Werk meldet.",
  dated: (date) => `Stand: ${date}`,
  contents: "Inhalt",
  note: "Diese Übersetzung soll das Lesen erleichtern. Maßgeblich ist der englische Text.",
  lead: "Die Regeln zwischen dir und uns, in Worten, die gelesen werden sollen. Wer den Dienst nutzt, stimmt ihnen zu.",
  sections: [
    {
      id: "the-service",
      title: "Der Dienst",
      paragraphs: [
        "Tapedeck macht aus dem Link zu einem Video, den du angibst, eine MP3- oder MP4-Datei und hält sie für begrenzte Zeit für dich bereit. Manche Videos lassen sich nicht umwandeln; der Dienst sagt dann, warum.",
        "Wir helfen niemandem, einen technischen Schutz, eine Anmeldung, eine Bezahlung oder eine Beschränkung einer Videoseite zu umgehen, und der Dienst versucht das auch nicht.",
      ],
    },
    {
      id: "acceptable-use",
      title: "Erlaubte Nutzung",
      paragraphs: [
        "Du entscheidest, was du umwandelst, und du stehst dafür ein. Wandle nur um, was du kopieren darfst:",
      ],
      points: [
        "eigene Werke;",
        "gemeinfreie Werke und solche, deren Lizenz das Kopieren erlaubt;",
        "Werke, deren Inhaber dir das Kopieren erlaubt hat;",
        "Werke, die du nach dem Recht deines Wohnorts für dich selbst kopieren darfst.",
      ],
    },
    {
      id: "not-allowed",
      title: "Was nicht erlaubt ist",
      paragraphs: ["Du darfst nicht:"],
      points: [
        "Werke umwandeln, die du nicht kopieren darfst, oder Kopien weitergeben, die du nicht weitergeben darfst;",
        "den Dienst für etwas Rechtswidriges nutzen oder gegen die Bedingungen der Seite, zu der der Link führt;",
        "die Grenzen deines Tarifs umgehen, ein Konto mit vielen teilen oder den Dienst weiterverkaufen;",
        "den Dienst angreifen, überlasten oder nutzen, um Systeme zu erreichen, die dir nicht gehören.",
      ],
    },
    {
      id: "takedown",
      title: "Ein Werk melden",
      paragraphs: [
        `Wenn du die Rechte an einem Werk hast und sie durch diesen Dienst verletzt siehst, schreib an ${f.takedownEmail}. Nenne das Werk, den betreffenden Link und wie wir dich erreichen, und erkläre, dass du die Rechte hast oder für ihren Inhaber handelst.`,
        "Wir sehen uns jede Meldung an, entfernen, was zu entfernen ist, und beenden die Konten von Leuten, die wiederholt Rechte verletzen. Dateien sind nur für die Person da, die sie erstellt hat, und verschwinden von selbst in den unten genannten Fristen.",
      ],
    },
    {
      id: "plans",
      title: "Tarife und Grenzen",
      paragraphs: ["Was jeder Tarif bietet:"],
      points: [
        `Gratis: MP3 mit ${f.free.mp3}, MP4 bis ${f.free.mp4}, ${f.free.otherFormats}, bis zu ${f.free.length} Video, Dateien bis ${f.free.size}, ${f.free.kept} lang aufbewahrt. Der Gratis-Tarif zeigt Werbung.`,
        `Pro: MP3 mit ${f.pro.mp3}, MP4 bis ${f.pro.mp4}, ${f.pro.otherFormats}, bis zu ${f.pro.length} Video, Dateien bis ${f.pro.size}, ${f.pro.kept} lang aufbewahrt, bis zu ${f.pro.batch} Links auf einmal, zuerst an der Reihe, keine Werbung.`,
        "Danach wird eine Datei gelöscht und lässt sich nicht zurückholen. Bewahr deine eigene Kopie auf.",
      ],
    },
    {
      id: "payment",
      title: "Zahlung und Kündigung",
      paragraphs: [
        `Pro kostet ${f.monthly} im Monat oder ${f.yearly} im Jahr, im Voraus per Karte über unseren Zahlungsdienst bezahlt, und verlängert sich von selbst, bis du kündigst.`,
        "Du kannst jederzeit kündigen. Pro bleibt dir bis zum Ende des Abrechnungszeitraums, und es wird nichts weiter abgebucht.",
      ],
    },
    {
      id: "refunds",
      title: "Erstattung",
      paragraphs: [
        `Es gibt eine Geld-zurück-Garantie, Frist ${f.refund}: Wenn du nicht zufrieden bist, schreib uns bis ${f.refund} nach einer Zahlung, und du bekommst sie vollständig zurück. Pro endet dann.`,
      ],
    },
    {
      id: "accounts",
      title: "Konten",
      paragraphs: [
        "Behalte deine Anmeldung für dich; was unter ihr geschieht, gilt als von dir, bis du uns etwas anderes sagst.",
        `Du kannst dein Konto in deiner Übersicht löschen. Deine Dateien verschwinden sofort, und seine Daten sind spätestens ${f.deletion} danach entfernt. Konten, die gegen diese Bedingungen verstoßen, können wir sperren; wenn der Fall nicht schwer wiegt, schreiben wir dir vorher.`,
      ],
    },
    {
      id: "availability",
      title: "Verfügbarkeit",
      paragraphs: [
        `Umwandlungen dauern meist ${f.usualFrom} bis ${f.usualTo} Minuten, und unser Ziel ist, ${f.uptime} der Zeit da zu sein. Beides sind Ziele und keine Garantien: Videoseiten ändern sich, und Maschinen fallen aus.`,
      ],
    },
    {
      id: "liability",
      title: "Haftung",
      paragraphs: [
        "Der Dienst wird angeboten, wie er ist. Soweit das Gesetz es erlaubt, haften wir nicht für Dateien, die nicht oder falsch erstellt wurden oder verloren gingen, nicht für mittelbare Schäden und im Übrigen höchstens in der Höhe dessen, was du uns in den letzten zwölf Monaten bezahlt hast. Rechte, die dir das Gesetz als Verbraucher gibt, bleiben unberührt.",
      ],
    },
    {
      id: "changes",
      title: "Änderungen und Kontakt",
      paragraphs: [
        "Ändern sich diese Bedingungen, ändert sich auch ihr Datum, und wer ein Abonnement hat, erfährt davon, bevor es gilt, und kann kündigen.",
        `Fragen: ${f.supportEmail}.`,
      ],
    },
  ],
});
