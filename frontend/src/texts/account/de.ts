import type { AccountTexts } from "./en.ts";

export const de: AccountTexts = {
  welcome: (name: string) => `Willkommen, ${name}`,
  converter: "Umwandeln",
  logout: "Abmelden",
  totalConversions: "Umwandlungen",
  dataUsed: "Datenmenge",
  thisMonth: "In diesem Monat",
  status: "Kontostatus",
  recent: "Letzte Umwandlungen",
  none: "Noch keine Umwandlungen",
  start: "Jetzt umwandeln",
  badges: {
    waiting: "wartet",
    processing: "in Arbeit",
    completed: "fertig",
    failed: "fehlgeschlagen",
    canceled: "abgebrochen",
  },
  title: "Konto",
  export: "Meine Daten exportieren",
  signOutEverywhere: "Überall abmelden",
  signOutEverywhereAbout: "Überall abmelden widerruft auch alle Token. Webhooks bleiben.",
  delete: "Konto löschen",
  deleteEndsSubscription:
    "Dein Abo endet sofort: Es wird nichts mehr abgebucht, und Pro bleibt nicht bis zum Ende des bezahlten Zeitraums.",
  deleteExplained: {
    before:
      "Deine Dateien verschwinden sofort, deine Anmeldungen enden, und was über dich gespeichert ist, wird innerhalb von 30 Tagen entfernt. Gib zur Bestätigung",
    after: "ein.",
  },
  deleteForGood: "Mein Konto löschen",
  signInAgainFirst: "Melde dich zum Löschen des Kontos zuerst noch einmal an. Danach kommst du hierher zurück.",
  signInAgain: "Noch einmal anmelden",
  keep: "Behalten",
};
