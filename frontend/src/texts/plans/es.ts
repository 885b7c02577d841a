import type { PlansTexts } from "./en.ts";

export const es: PlansTexts = {
  title: "Elige tu plan.",
  tab: "Planes",
  description: (links: number) =>
    `Tapedeck Pro al mes o al año: mejor calidad, vídeos más largos, ${links} enlaces a la vez y sin anuncios. Cancela cuando quieras.`,
  lead: (percent: string) => `El mismo Pro en ambos casos; un año de una vez cuesta un ${percent} menos.`,
  signInFirst: "Primero inicias sesión, para tener Pro en todos tus dispositivos. Después pagas.",
  titleForPro: "Ya tienes Pro.",
  leadForPro: "Todo lo de abajo ya es tuyo.",
  switch: "Cámbialo en «Gestionar la facturación»",
  owned: "Ya tienes Pro",
  limits: {
    title: "Límites más altos",
    text: (span: string, size: string, links: number) =>
      `Vídeos de hasta ${span} y archivos de hasta ${size}, ${links} enlaces a la vez, también como una sola cinta, y listas y canales que sigues.`,
  },
  quality: {
    title: "La mejor calidad",
    text: (mp3: string, mp4: string) => `MP3 a ${mp3} y MP4 en ${mp4}, primero en la cola.`,
  },
  noAds: {
    title: "Libre de anuncios",
    text: (span: string) => `Sin publicidad en ninguna parte, y los archivos te esperan ${span}.`,
  },
};
