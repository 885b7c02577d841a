import type { PlansTexts } from "./en.ts";

export const de: PlansTexts = {
  title: "Wähl deinen Tarif.",
  tab: "Tarife",
  description: (links: number) =>
    `Tapedeck Pro im Monat oder im Jahr: bessere Qualität, längere Videos, ${links} Links auf einmal, keine Werbung. Jederzeit kündbar.`,
  lead: (percent: string) => `Beide Male dasselbe Pro; ein Jahr auf einmal kostet ${percent} weniger.`,
  signInFirst: "Zuerst meldest du dich an, damit Pro auf all deinen Geräten gilt. Danach bezahlst du.",
  titleForPro: "Du hast Pro.",
  leadForPro: "Alles hier unten gehört dir schon.",
  switch: "Wechsel unter „Abrechnung verwalten“",
  owned: "Du hast Pro",
  limits: {
    title: "Höhere Grenzen",
    text: (span: string, size: string, links: number) =>
      `Videos bis ${span} und Dateien bis ${size}, ${links} Links auf einmal, auch als ein Band, und Playlists und Kanäle, denen du folgst.`,
  },
  quality: {
    title: "Beste Qualität",
    text: (mp3: string, mp4: string) => `MP3 mit ${mp3} und MP4 in ${mp4}, zuerst an der Reihe.`,
  },
  noAds: {
    title: "Werbefrei",
    text: (span: string) => `Nirgends Werbung, und Dateien liegen ${span} lang für dich bereit.`,
  },
};
