import { pluralIn } from "../plural.ts";
import type { AccountTexts } from "./en.ts";

const plural = pluralIn("ar");

export const ar: AccountTexts = {
  welcome: (name: string) => `مرحبًا، ${name}`,
  converter: "المحوّل",
  logout: "تسجيل الخروج",
  following: "المتابَعة",
  totalConversions: "إجمالي التحويلات",
  dataUsed: "البيانات المستخدمة",
  thisMonth: "هذا الشهر",
  status: "حالة الحساب",
  recent: "أحدث التحويلات",
  none: "لا توجد تحويلات بعد",
  start: "ابدأ التحويل",
  search: "ابحث في العناوين",
  noneFound: "لا عنوان فيه هذه الكلمات.",
  usageByDay: (days) => `الاستخدام في آخر ${days} يومًا`,
  noUsage: (days) => `لم يُحوَّل شيء في آخر ${days} يومًا.`,
  usageFailed: "تعذّر تحميل الاستخدام.",
  usageRetry: "إعادة المحاولة",
  day: "اليوم (UTC)",
  conversions: "التحويلات",
  usageSummary: (count, shown, size) =>
    plural(count, {
      zero: `لا تحويلات، ${size}.`,
      one: `تحويل واحد، ${size}.`,
      two: `تحويلان، ${size}.`,
      few: `${shown} تحويلات، ${size}.`,
      many: `${shown} تحويلًا، ${size}.`,
      other: `${shown} تحويل، ${size}.`,
    }),
  title: "الحساب",
  export: "تصدير بياناتي",
  signOutEverywhere: "تسجيل الخروج من كل مكان",
  signOutEverywhereAbout: "تسجيل الخروج من كل مكان يُبطل جميع الرموز أيضًا. أما خطافات الويب فتبقى.",
  delete: "حذف الحساب",
  deleteEndsSubscription: "ينتهي اشتراكك فورًا: لن يُخصم أي مبلغ آخر، ولن يبقى Pro لما تبقّى من الفترة المدفوعة.",
  deleteExplained: {
    before: "تُحذف ملفاتك فورًا، وتنتهي جلسات دخولك، ويُزال ما هو محفوظ عنك خلال 30 يومًا. اكتب",
    after: "للتأكيد.",
  },
  deleteForGood: "حذف حسابي",
  signInAgainFirst: "لحذف الحساب، سجّل الدخول مرة أخرى أولًا، ثم تعود إلى هنا.",
  signInAgain: "تسجيل الدخول مرة أخرى",
  keep: "الاحتفاظ به",
};
