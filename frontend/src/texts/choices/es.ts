import { pluralIn } from "../plural.ts";
import type { ChoicesTexts } from "./en.ts";

const plural = pluralIn("es");

export const es: ChoicesTexts = {
  button: "Opciones",
  name: "Opciones para este vídeo",
  tabs: { cut: "Cortar", format: "Formato", subtitles: "Subtítulos", tags: "Etiquetas" },
  noLength: "No se conoce la duración de este vídeo, así que no se puede tomar una parte.",
  formats: {
    title: "Más formatos",
    names: { original: "Sonido original", flac: "FLAC", wav: "WAV", transcript: "Transcripción" },
    purposes: {
      original: "Tal como lo tiene el sitio, M4A u Opus: sin volver a codificarlo, así que no se pierde nada.",
      flac: "Para colecciones de música en FLAC. Más grande que el sonido original, no mejor.",
      wav: "Sin comprimir, para programas de edición. El más grande.",
      transcript: "Lo que se dice, como texto: los subtítulos en un archivo propio.",
    },
    forPro: "con Pro",
  },
  part: {
    title: "Una parte",
    start: "Inicio",
    end: "Fin",
    startHandle: "Inicio de la parte",
    endHandle: "Fin de la parte",
    chosen: (length) => `${length} elegidos`,
    chapter: "Capítulo",
    noChapter: "Elegir un capítulo",
    whole: "Tomar el vídeo entero",
    problems: {
      time: "Escribe un tiempo como 1:02:03.",
      order: "El fin debe estar al menos un segundo después del inicio.",
      beyond: (end) => `El vídeo termina en ${end}.`,
    },
  },
  chapterFiles: {
    title: "Capítulos",
    one: "Un archivo por capítulo",
    purpose: "Sus capítulos en archivos numerados y etiquetados, juntos en un ZIP.",
  },
  sponsored: {
    ofMany: "En los vídeos de YouTube, tal como los espectadores los han marcado en SponsorBlock.",
    title: "Segmentos patrocinados",
    keep: "Conservarlos",
    mark: "Marcarlos como capítulos",
    cut: "Cortarlos",
    found: (count, length) =>
      `${plural(count, { one: "Un segmento", other: `${count} segmentos` })}, ${length}, según los espectadores en SponsorBlock.`,
    notOriginal: "El sonido original se copia tal cual, así que no se le puede cortar nada; marcar añade capítulos.",
  },
  sound: {
    title: "Idioma del sonido",
    original: (language: string) => `${language} (original)`,
  },
  many: {
    cut: "Solo se puede tomar una parte de un único vídeo, no de varios.",
    tags: "Cada vídeo conserva las etiquetas de su sitio. Solo se pueden cambiar en un único vídeo.",
    language: "Un vídeo sin este idioma falla; los demás siguen.",
    original: "El original de cada vídeo",
  },
  subtitles: {
    title: "Subtítulos",
    none: "Ninguno",
    automatic: (language: string) => `${language} (automáticos)`,
    noneThere: "Este vídeo no tiene subtítulos.",
    onlyMp4: "Elige MP4 para añadirlos, o Transcripción para un archivo propio: los demás formatos no los admiten.",
    own: "El idioma del vídeo",
    kind: "Tipo de archivo",
    kinds: {
      srt: "SRT: con tiempos, para reproductores",
      vtt: "VTT: con tiempos, para páginas web",
      txt: "Texto sin formato y sin tiempos",
    },
  },
  tags: {
    title: "Etiquetas del archivo",
    song: "Título",
    artist: "Artista",
    album: "Álbum",
    date: "Fecha",
    dateExample: "2024-05-17",
    description: "Descripción",
    asFound: "Tomar las etiquetas del sitio",
  },
};
