import { pluralIn } from "../plural.ts";
import type { ListTexts } from "./en.ts";

const plural = pluralIn("de");

export const de: ListTexts = {
  name: "Videos der Liste",
  loading: "Die Liste wird gelesen",
  entries: (count, shown) => plural(count, { one: `${shown} Eintrag`, other: `${shown} Einträge` }),
  readSoFar: (shown) => `bisher ${shown} gelesen …`,
  announce: (title, entries) => `Liste: ${title}, ${entries}.`,
  cut: (most) => `Nur die ersten ${most} werden gezeigt.`,
  failed: "Diese Liste lässt sich gerade nicht lesen.",
  noList:
    "Die Videos hinter diesem Link lassen sich nicht auflisten. Öffne eines davon und füge dessen eigenen Link ein.",
  stopped: "Der Rest der Liste ließ sich nicht lesen.",
  retry: "Noch einmal",
  search: "Titel durchsuchen",
  noMatch: "Kein Titel enthält diese Wörter.",
  all: "Alle",
  first: (count) => `Erste ${count}`,
  none: "Keine",
  range: "Bereich wählen",
  rangeFirst: "Tipp auf das erste Video.",
  rangeLast: "Jetzt auf das letzte.",
  chosen: (chosen, total) => `${chosen} von ${total} gewählt`,
  chosenSoFar: (chosen) => `${chosen} gewählt`,
  single: (atOnce) =>
    `Dein Tarif wandelt ein Video nach dem anderen um. Pro nimmt bis zu ${atOnce} auf einmal und ganze Listen.`,
  batches: (shown, batches, size) => `${shown} Videos: ${batches} Stapel zu höchstens ${size}, einer nach dem anderen.`,
  oneBatch: (shown) => `${shown} Videos, als ein Stapel.`,
  tooLong: (most) => `Länger als ${most}.`,
  tooLongForFree: (most) => `Länger als ${most}; Pro nimmt es.`,
  problems: {
    private: "Dieses Video ist privat.",
    deleted: "Dieses Video wurde gelöscht.",
    members_only: "Nur für zahlende Mitglieder des Kanals.",
    upcoming: "Dieses Video hat noch nicht begonnen.",
    live: "Gerade live: Komm wieder, wenn es vorbei ist.",
    list: "Selbst eine Liste: Füge ihren Link ein.",
    not_accepted: "Auf einer nicht unterstützten Seite.",
    unavailable: "Dieses Video ist nicht verfügbar.",
  },
  nothingChosen: { title: "Nichts gewählt", description: "Wähl mindestens ein Video der Liste." },
  inList: "Dieses Video ist in einer Liste.",
  chooseFromList: "Aus der Liste wählen",
  onlyVideo: "Nur dieses Video",
  tape: {
    asOne: "Auch als ein Band",
    purpose: "Alle in einer Datei mit Kapiteln, sobald das letzte fertig ist.",
    problems: {
      format: () => "Nur aus MP3 und Originalton.",
      few: () => "Wähl mindestens zwei Videos.",
      many: (most) => `Auf ein Band passen ${most}.`,
    },
  },
  follow: {
    offer: "Neue Videos können von selbst kommen.",
    offerForPro: "Mit Pro kommen neue Videos von selbst.",
    follow: "Folgen",
    busy: "Die Liste wird gelesen…",
    done: "Du folgst dieser Liste.",
    conflict: "Du folgst dieser Liste schon, oder so vielen, wie Pro erlaubt.",
    failed: "Das hat nicht geklappt. Prüfe deine Verbindung und versuche es noch einmal.",
    seeAll: "Alles ansehen, dem du folgst",
  },
  row: {
    waitsForSongs: (left, songs) => `Wartet auf ${left} von ${songs} Titeln`,
    ready: (ready, total) => `${ready} von ${total} fertig`,
    follow: (count, shown) => plural(count, { one: `${shown} weiteres folgt`, other: `${shown} weitere folgen` }),
    goneFromPage: (count) => `${count} nicht mehr angezeigt`,
  },
};
