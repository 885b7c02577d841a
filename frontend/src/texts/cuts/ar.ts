import type { CutTexts } from "./en.ts";

export const ar: CutTexts = {
  cutAgain: "قصّ من جديد",
  cutAgainOf: (title) => `قصّ من جديد: ${title}`,
  close: "إغلاق",
  loading: "يجري رسم الصوت…",
  noWaveform: "تعذّر رسم الصوت. يمكنك القصّ من دونه.",
  again: "حاول مرة أخرى",
  playStart: "اسمع البداية",
  playEnd: "اسمع النهاية",
  address: "رابط هذا الجزء",
  copyLink: "نسخ الرابط",
  copied: "تم النسخ",
  cut: "قصّ",
  cutting: "يجري القصّ…",
  gone: "لم يعد هذا الملف موجودًا. حوّل الجزء من رابطه.",
  failed: "تعذّر قصّ الملف. تحقق من اتصالك وحاول مرة أخرى.",
};
