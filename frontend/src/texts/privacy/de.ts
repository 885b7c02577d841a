import type { Figures } from "../figures.ts";
import type { LegalText } from "../legal.ts";

export const de = (f: Figures): LegalText => ({
  title: "Datenschutz",
  description: "Was Tapedeck über seine Besucher speichert, wie lange, wer es sieht und wie man es löschen lässt.",
  dated: (date) => `Stand: ${date}`,
  contents: "Inhalt",
  note: "Diese Übersetzung soll das Lesen erleichtern. Maßgeblich ist der englische Text.",
  lead: "Wir speichern, was eine Umwandlung braucht, so lange sie es braucht, und verkaufen nichts an niemanden. Diese Seite sagt, was das ist.",
  sections: [
    {
      id: "what-we-store",
      title: "Was wir speichern",
      paragraphs: ["Das hängt davon ab, was du hier tust:"],
      points: [
        "Wenn du etwas umwandelst: den Link, Titel, Länge und Vorschaubild des Videos, das Format, den Verlauf der Umwandlung und die fertige Datei.",
        "Wenn du dich anmeldest: die E-Mail-Adresse und den Vornamen, die uns der Anmeldedienst nennt, und deinen Tarif. Dein Passwort sehen wir nie.",
        "Wenn du für Pro bezahlst: die Kundennummer beim Zahlungsdienst und den Stand deines Abonnements. Kartennummern gehen von deinem Browser an den Zahlungsdienst und erreichen uns nie.",
        "Wenn du uns über das Kontaktformular schreibst: auf dieser Seite nichts. Deine Nachricht geht als E-Mail in unser Postfach, mit deinem Namen, deiner Adresse und deinem Tarif.",
        "In jedem Fall: eine zufällige Nummer, die deinen Browser kennzeichnet, damit nur du deine Umwandlungen siehst, und kurzlebige Zähler der Anfragen, Downloads und offenen Seiten je Netzadresse, die den Dienst gerecht halten. Mit einer kostenlosen Umwandlung wird bis zu ihrem Ende ein Kennzeichen ihres Netzes gespeichert, aus dem sich die Adresse nicht ablesen lässt.",
      ],
    },
    {
      id: "how-long",
      title: "Wie lange wir es aufbewahren",
      paragraphs: ["Jede Art von Daten hat ihr eigenes Ende:"],
      points: [
        `Fertige Dateien: ${f.free.kept} im Gratis-Tarif, ${f.pro.kept} mit Pro. Dann werden sie gelöscht.`,
        `Der Eintrag einer Umwandlung mit Link, Titel und Vorschaubild: bis du ihn entfernst, sonst noch ${f.records}, nachdem die Datei gelöscht ist.`,
        `Nutzungsprotokolle, die Umwandlungen und ihre Größen zählen: ${f.logs}.`,
        `Webhooks: bis du sie entfernst. Der Text einer Nachricht: bis dein Programm sie angenommen hat, höchstens einen Tag; was aus ihr wurde: ${f.webhookLog}.`,
        `Dein Konto: bis du es löschst. Deine Dateien verschwinden dann sofort, und alle Daten des Kontos sind spätestens ${f.deletion} danach entfernt.`,
        "Wenn wir ein Netz, einen Browser oder ein Konto wegen Missbrauchs sperren: was gesperrt ist und warum, bis die Sperre endet; das Protokoll solcher Entscheidungen zwei Jahre.",
        "Wenn wir an deinem Konto oder deinen Umwandlungen etwas tun, etwa Pro gewähren oder eine Anfrage zu deinen Daten beantworten: was und wann, mit der Nummer des Kontos, ein Jahr.",
        "Zahlungsbelege: so lange, wie das Steuerrecht es von uns und vom Zahlungsdienst verlangt.",
        `Sicherungskopien, falls eine Festplatte ausfällt: höchstens ${f.backups}. Was hier gelöscht wird, ist bis dahin auch dort weg, und ein gelöschtes Konto bleibt gelöscht, wenn eine Kopie gebraucht wird.`,
      ],
    },
    {
      id: "what-for",
      title: "Wofür wir es verwenden",
      paragraphs: [
        "Um umzuwandeln, worum du gebeten hast, um dir und sonst niemandem zu zeigen, wie es steht, um die Grenzen der Tarife einzuhalten, um Pro abzurechnen, um dir zu antworten, wenn du schreibst, und um Fehler und Missbrauch zu finden. Wir bilden keine Profile, und was du umwandelst, verwenden wir für nichts anderes.",
      ],
    },
    {
      id: "cookies",
      title: "Cookies und dein Browser",
      paragraphs: [
        "Wir setzen zwei Cookies: Eines enthält die Nummer deines Browsers, das andere deine Anmeldung, falls es eine gibt. Beide sind nötig, damit der Dienst funktioniert, und Skripte können sie nicht lesen. Wenn du eine Sprache wählst, steht sie in einem dritten Cookie, damit wir dir unsere Seiten in ihr senden. Deine Wahl der Farben bleibt in deinem Browser und wird nicht an uns gesendet.",
        "Cookies für Werbung oder Messung gibt es nicht. Die Anzeigen im Gratis-Tarif sind Teil unserer eigenen Seiten: Von Werbetreibenden wird nichts geladen, und niemand erfährt, dass du sie gesehen hast. Nur der Zahlungsdienst setzt dort, wo du bezahlst, womöglich eigene Cookies gegen Betrug.",
      ],
    },
    {
      id: "who-else",
      title: "Wer sonst noch Daten sieht",
      paragraphs: ["Nur wer für den Dienst unentbehrlich ist:"],
      points: [
        "Die Videoseite, die unser Server um das Video bittet. Sie sieht die Adresse unseres Servers, nicht deine; Bilder und Titel erreichen dich über uns.",
        "Der Anmeldedienst, wenn du dich anmeldest.",
        "Der Zahlungsdienst, wenn du bezahlst.",
        "Der Anbieter unseres Postfachs, wenn du uns schreibst.",
        "Dein eigenes Programm, wenn du einen Webhook dafür anlegst: Es erfährt, welche deiner Umwandlungen zu Ende sind.",
        "Behörden, wenn das Gesetz uns dazu zwingt.",
      ],
    },
    {
      id: "your-rights",
      title: "Deine Rechte",
      paragraphs: [
        "Du kannst alles, was unter deinem Konto gespeichert ist, exportieren und löschen: Beides findest du in deiner Übersicht unter Konto. Um etwas berichtigen zu lassen, und für alles andere, schreib uns; ein Konto brauchst du dafür nicht.",
        "Du kannst dich auch bei der Datenschutzbehörde deines Wohnorts beschweren.",
      ],
    },
    {
      id: "security",
      title: "Sicherheit",
      paragraphs: [
        "Verbindungen sind verschlüsselt, und Dateien kann nur der Browser oder der Mensch herunterladen, der sie erstellt hat. Geht trotzdem etwas schief, das deine Daten betrifft, sagen wir es dir unverzüglich.",
      ],
    },
    {
      id: "children",
      title: "Kinder",
      paragraphs: [
        "Der Dienst ist nicht für Kinder unter 13 Jahren gedacht, und wir speichern wissentlich keine Daten über sie.",
      ],
    },
    {
      id: "changes",
      title: "Änderungen und Kontakt",
      paragraphs: [
        "Ändert sich diese Seite, ändert sich auch ihr Datum, und wer ein Konto hat, erfährt von wichtigen Änderungen, bevor sie gelten.",
        `Fragen zu deinen Daten: ${f.supportEmail}.`,
      ],
    },
  ],
});
