import { pluralIn } from "../plural.ts";
import type { ProTexts } from "./en.ts";

const plural = pluralIn("es");

export const es: ProTexts = {
  member: "Miembro Pro",
  features: "Ventajas de Pro",
  everything: "Todo",
  unlimited: "Conversiones ilimitadas",
  batchOf: (links: number) => `Lotes de ${links} enlaces`,
  storage: (days: number) => `${days} días de almacenamiento`,
  fileLimit: (megabytes: number) => `Archivos de hasta ${megabytes} MB`,
  monthlyLimit: (megabytes: number) => `Límite mensual de ${megabytes} MB`,
  completed: (count: number) => plural(count, { one: `${count} lista`, other: `${count} listas` }),
  active: (count: number) => `${count} en curso o en espera`,
  dataUsage: "Uso de datos",
};
