import { pluralIn } from "../plural.ts";
import type { ProTexts } from "./en.ts";

const plural = pluralIn("ar");

export const ar: ProTexts = {
  member: "عضو Pro",
  features: "مزايا Pro",
  everything: "كل شيء",
  unlimited: "تحويلات غير محدودة",
  batchOf: (links: number) =>
    plural(links, { few: `دفعات من ${links} روابط`, many: `دفعات من ${links} رابطًا`, other: `دفعات من ${links} رابط` }),
  storage: (days: number) =>
    plural(days, {
      one: "حفظ ليوم واحد",
      two: "حفظ ليومين",
      few: `حفظ لمدة ${days} أيام`,
      other: `حفظ لمدة ${days} يومًا`,
    }),
  fileLimit: (megabytes: number) => `ملفات حتى ${megabytes} ميغابايت`,
  monthlyLimit: (megabytes: number) => `حد شهري ${megabytes} ميغابايت`,
  completed: (count: number) => `${count} مكتمل`,
  active: (count: number) => `${count} قيد التنفيذ أو الانتظار`,
  dataUsage: "استخدام البيانات",
};
