import type { SpeedTexts } from "./en.ts";

export const es: SpeedTexts = {
  title: "Cuánto tarda",
  description: "Cuánto tardaron las conversiones de los últimos días, en qué se fue el tiempo y qué se prometió.",
  lead: (days) => `Desde que se pulsa Convertir hasta el archivo, medido en los últimos ${days}.`,
  conversions: "Conversiones",
  half: "La mitad tardó como mucho",
  nineInTen: "Nueve de cada diez tardaron como mucho",
  where: "En qué se fue el tiempo",
  parts: {
    wait: "Esperar el turno",
    site: "Preguntar al sitio del vídeo",
    line: "Traer el vídeo",
    ours: "Terminar el archivo",
  },
  promise: "Prometido y cumplido",
  kept: (percent) =>
    `El ${percent} de los archivos estaba listo según la primera estimación, o hasta una décima parte más tarde.`,
  off: (percent) => `La mitad de las primeras estimaciones falló en un ${percent} o menos.`,
  noPromise: "La mayoría de los archivos estaba lista antes de que hubiera una estimación.",
  byDay: "Día a día",
  day: "Día",
  counted: "No se cuentan los archivos que ya estaban, ni los vídeos cuyo sitio los hizo esperar.",
  tooFew: "Hay muy pocas conversiones para decirlo. Vuelve en uno o dos días.",
  failed: "No se pudieron leer los tiempos.",
  receipt: {
    total: (span) => `${span} desde Convertir hasta el archivo`,
    promised: (span) => `La primera estimación decía: ${span}.`,
    all: "Cuánto tarda para todos",
  },
  retry: "Intentar de nuevo",
};
