import type { ProTexts } from "./en.ts";

export const de: ProTexts = {
  member: "Pro-Mitglied",
  features: "Was Pro kann",
  everything: "Alles",
  unlimited: "Unbegrenzt viele Umwandlungen",
  batchOf: (links: number) => `Stapel von ${links} Links`,
  storage: (days: number) => `${days} Tage Speicherung`,
  fileLimit: (megabytes: number) => `Dateien bis ${megabytes} MB`,
  monthlyLimit: (megabytes: number) => `${megabytes} MB im Monat`,
  completed: (count: number) => `${count} fertig`,
  active: (count: number) => `${count} in Arbeit oder wartend`,
  dataUsage: "Datenverbrauch",
};
