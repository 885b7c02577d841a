import type { LoginTexts } from "./en.ts";

export const de: LoginTexts = {
  title: "Anmeldung für Pro-Nutzer",
  description: (links: number) =>
    `Anmeldung bei Tapedeck Pro: bessere Qualität, längere Videos, ${links} Links auf einmal, keine Werbung.`,
  text: "Du meldest dich über unseren Anmeldedienst an. Hier ist kein Passwort einzugeben.",
  notSetUp: "Auf diesem Server ist keine Anmeldung eingerichtet.",
  password: "Passwort",
  passwordHint: "Hier nicht nötig",
  signIn: "Als Pro-Nutzer anmelden",
  signingIn: "Anmeldung läuft …",
  back: "Zurück zur Startseite",
  errors: {
    unavailable: "Der Anmeldedienst ist gerade nicht erreichbar. Versuch es in ein paar Minuten noch einmal.",
    refused:
      "Die Anmeldung wurde abgelehnt oder abgebrochen. Versuch es noch einmal, falls das nicht deine Absicht war.",
    expired: "Die Anmeldung hat zu lange gedauert. Fang noch einmal an, dann klappt es.",
    invalid:
      "Der Antwort des Anmeldedienstes war nicht zu trauen, deshalb wurde niemand angemeldet. Versuch es noch einmal.",
    rate_limited: "Zu viele Anmeldungen in kurzer Zeit. Warte eine Minute und versuch es noch einmal.",
  },
};
