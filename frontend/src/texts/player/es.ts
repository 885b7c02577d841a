import type { PlayerTexts } from "./en.ts";

export const es: PlayerTexts = {
  play: (title: string) => `Reproducir ${title}`,
  pause: (title: string) => `Pausar ${title}`,
  line: (title: string) => `Posición en ${title}`,
  position: (at: string, of: string) => `${at} de ${of}`,
  broken: "La reproducción se cortó. Pulsa reproducir otra vez o descarga el archivo.",
  startsOver: "La conversión empieza de nuevo. Reprodúcela cuando la fila diga que se puede.",
};
