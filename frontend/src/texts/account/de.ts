import { pluralIn } from "../plural.ts";
import type { AccountTexts } from "./en.ts";

const plural = pluralIn("de");

export const de: AccountTexts = {
  welcome: (name: string) => `Willkommen, ${name}`,
  converter: "Umwandeln",
  logout: "Abmelden",
  following: "Gefolgt",
  totalConversions: "Umwandlungen",
  dataUsed: "Datenmenge",
  thisMonth: "In diesem Monat",
  status: "Kontostatus",
  recent: "Letzte Umwandlungen",
  none: "Noch keine Umwandlungen",
  start: "Jetzt umwandeln",
  search: "Titel durchsuchen",
  noneFound: "Kein Titel enthält diese Wörter.",
  usageByDay: (days) => `Nutzung der letzten ${days} Tage`,
  noUsage: (days) => `In den letzten ${days} Tagen wurde nichts umgewandelt.`,
  usageFailed: "Die Nutzung konnte nicht geladen werden.",
  usageRetry: "Noch einmal versuchen",
  day: "Tag (UTC)",
  conversions: "Umwandlungen",
  usageSummary: (count, shown, size) =>
    plural(count, { one: `${shown} Umwandlung, ${size}.`, other: `${shown} Umwandlungen, ${size}.` }),
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
