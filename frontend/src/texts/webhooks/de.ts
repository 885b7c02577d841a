import type { WebhookTexts } from "./en.ts";

export const de: WebhookTexts = {
  title: "Webhooks",
  about: "Ein Webhook sagt deinem eigenen Programm, wann eine Umwandlung fertig oder fehlgeschlagen ist.",
  description: "Was er bekommt und wie man es prüft",
  loading: "Webhooks werden geladen",
  notLoaded: "Die Webhooks konnten nicht geladen werden.",
  retry: "Noch einmal versuchen",
  none: "Noch keine Webhooks",
  failed: "Das hat nicht geklappt. Prüf deine Verbindung und versuch es noch einmal.",
  make: "Neuer Webhook",
  full: (count) =>
    count === 1
      ? "Ohne Pro gibt es einen Webhook."
      : `Du hast ${count} Webhooks, mehr geht nicht. Entferne zuerst einen.`,
  upgrade: "Mehr mit Pro",
  address: "Adresse deines Programms",
  addressExample: "https://example.com/tapedeck",
  create: "Webhook erstellen",
  cancel: "Abbrechen",
  copyNow:
    "Kopier dieses Geheimnis jetzt. Dein Programm prüft damit die Nachrichten. Es wird nicht noch einmal gezeigt.",
  copy: "Kopieren",
  copied: "Kopiert",
  done: "Fertig",
  revoke: "Entfernen",
  revokeNamed: (address) => `${address} entfernen`,
  revokeForGood: "Endgültig entfernen",
  keep: "Behalten",
  test: "Testnachricht senden",
  testTaken: "Dein Programm hat die Testnachricht angenommen.",
  testFailed: "Die Testnachricht ist nicht angekommen. Warum, steht darunter.",
  enable: "Wieder einschalten",
  disabled: {
    gone: "Aus: Dein Programm hat geantwortet, dass es keine Nachrichten mehr will.",
    failing: "Aus: Dein Programm hat einen Tag lang keine Nachricht angenommen.",
  },
  needsPro: "Bekommt nur mit Pro Nachrichten",
  messages: "Letzte Nachrichten",
  noMessages: "Noch keine Nachrichten",
  types: { "job.completed": "Umwandlung fertig", "job.failed": "Umwandlung fehlgeschlagen", test: "Test" },
  taken: (status) => `angenommen (${status})`,
  answered: (status) => `abgelehnt (${status})`,
  problems: {
    too_slow: "keine Antwort in der Zeit",
    no_connection: "keine Verbindung",
    refused_address: "keine öffentliche Adresse, oder eine gesperrte",
  },
  notSent: "noch nicht gesendet",
  tries: (count) => `Versuche: ${count}`,
  nextTry: (time) => `nächster Versuch: ${time}`,
};
