import { pluralIn } from "../plural.ts";
import type { PhoneTexts } from "./en.ts";

const plural = pluralIn("ar");

export const ar: PhoneTexts = {
  toPhone: "إلى هاتفي",
  toPhoneOf: (title) => `إلى هاتفي: ${title}`,
  close: "إغلاق",
  lasts: "مدة عمل الرابط",
  once: "مرة واحدة",
  tenMinutes: "10 دقائق",
  scan: "امسح الرمز بالجهاز الآخر أو افتح الرابط عليه. لا حاجة إلى حساب.",
  onlyHere: "لا تستطيع الأجهزة الأخرى فتح هذا العنوان. افتح Tapedeck أولًا باسم هذا الحاسوب أو بعنوان IP الخاص به.",
  code: "رمز QR للرابط",
  address: "رابط الملف",
  copy: "نسخ",
  copied: "تم النسخ",
  loading: "جارٍ إنشاء الرابط…",
  failed: "لم ينجح ذلك.",
  again: "أعد المحاولة",
  worksOnce: "يعمل مرة واحدة.",
  opened: (times) =>
    plural(times, {
      zero: "لم يُفتح بعد.",
      one: "فُتح مرة واحدة.",
      two: "فُتح مرتين.",
      few: `فُتح ${times} مرات.`,
      other: `فُتح ${times} مرة.`,
    }),
  used: "استُخدم هذا الرابط.",
  ended: "انتهى هذا الرابط.",
  revoked: "أُبطل هذا الرابط.",
  elsewhere: "يوجد رابط بالفعل. لا يظهر رمزه إلا حيث أُنشئ.",
  another: "إنشاء رابط جديد",
  revoke: "إبطال",
  share: "مشاركة…",
  sharing: "جارٍ تحميل الملف…",
  shareAgain: "تم تحميل الملف. اضغط «مشاركة» مرة أخرى.",
  notShared: "تعذّرت مشاركة الملف. استخدم الرابط.",
};
