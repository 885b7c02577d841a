import { pluralIn } from "../plural.ts";
import type { PhoneTexts } from "./en.ts";

const plural = pluralIn("es");

export const es: PhoneTexts = {
  toPhone: "A mi móvil",
  toPhoneOf: (title) => `A mi móvil: ${title}`,
  close: "Cerrar",
  lasts: "Cuánto dura el enlace",
  once: "Una vez",
  tenMinutes: "10 minutos",
  scan: "Escanea el código con el otro dispositivo o abre allí el enlace. No hace falta una cuenta.",
  onlyHere:
    "Otros dispositivos no pueden abrir esta dirección. Abre antes Tapedeck con el nombre o la dirección IP de este ordenador.",
  code: "Código QR del enlace",
  address: "Enlace al archivo",
  copy: "Copiar",
  copied: "Copiado",
  loading: "Creando el enlace…",
  failed: "No ha funcionado.",
  again: "Intentar de nuevo",
  worksOnce: "Sirve una vez.",
  opened: (times) => plural(times, { one: `Abierto ${times} vez.`, other: `Abierto ${times} veces.` }),
  used: "Este enlace ya se usó.",
  ended: "Este enlace ha terminado.",
  revoked: "Este enlace fue revocado.",
  elsewhere: "Ya hay un enlace. Su código solo se ve donde se creó.",
  another: "Crear otro enlace",
  revoke: "Revocar",
  share: "Compartir…",
  sharing: "Cargando el archivo…",
  shareAgain: "El archivo está cargado. Pulsa Compartir otra vez.",
  notShared: "No se pudo compartir el archivo. Usa el enlace.",
};
