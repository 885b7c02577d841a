import { pluralIn } from "../plural.ts";
import type { PhoneTexts } from "./en.ts";

const plural = pluralIn("de");

export const de: PhoneTexts = {
  toPhone: "Auf mein Handy",
  toPhoneOf: (title) => `Auf mein Handy: ${title}`,
  close: "Schließen",
  lasts: "Wie lange der Link gilt",
  once: "Einmal",
  tenMinutes: "10 Minuten",
  scan: "Lies den Code mit dem anderen Gerät ein oder öffne dort den Link. Ein Konto ist nicht nötig.",
  onlyHere:
    "Andere Geräte können diese Adresse nicht öffnen. Öffne Tapedeck zuerst unter dem Namen oder der IP-Adresse dieses Computers.",
  code: "QR-Code des Links",
  address: "Link zur Datei",
  copy: "Kopieren",
  copied: "Kopiert",
  loading: "Der Link wird erstellt …",
  failed: "Das hat nicht geklappt.",
  again: "Noch einmal",
  worksOnce: "Gilt einmal.",
  opened: (times) => plural(times, { one: `${times}-mal geöffnet.`, other: `${times}-mal geöffnet.` }),
  used: "Dieser Link ist verbraucht.",
  ended: "Dieser Link ist abgelaufen.",
  revoked: "Dieser Link wurde widerrufen.",
  elsewhere: "Es gibt schon einen Link. Sein Code ist nur dort zu sehen, wo er erstellt wurde.",
  another: "Neuen Link erstellen",
  revoke: "Widerrufen",
  share: "Teilen …",
  sharing: "Die Datei wird geladen …",
  shareAgain: "Die Datei ist geladen. Drück noch einmal auf „Teilen“.",
  notShared: "Die Datei konnte nicht geteilt werden. Nimm den Link.",
};
