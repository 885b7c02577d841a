import type { PlayerTexts } from "./en.ts";

export const de: PlayerTexts = {
  play: (title: string) => `${title} abspielen`,
  pause: (title: string) => `${title} anhalten`,
  line: (title: string) => `Stelle in ${title}`,
  position: (at: string, of: string) => `${at} von ${of}`,
  broken: "Die Wiedergabe brach ab. Drücke noch einmal auf Abspielen, oder lade die Datei herunter.",
  startsOver: "Die Umwandlung beginnt von vorn. Spiele sie wieder ab, sobald die Zeile sagt, dass es geht.",
};
