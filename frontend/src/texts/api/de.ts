import type { ApiTexts } from "./en.ts";

export const de: ApiTexts = {
  title: "Die API von Tapedeck",
  lead: "Alles, was die Seite kann, können deine Programme auch. Erstelle auf der Übersicht ein Token und sende es als „Authorization: Bearer“. Die Beschreibung ist auf Englisch.",
  loading: "Die Beschreibung wird geladen",
  failed: "Die Beschreibung konnte nicht geladen werden.",
  retry: "Noch einmal versuchen",
};
