import type { AccountTexts } from "./en.ts";

export const ar: AccountTexts = {
  welcome: (name: string) => `مرحبًا، ${name}`,
  converter: "المحوّل",
  logout: "تسجيل الخروج",
  totalConversions: "إجمالي التحويلات",
  dataUsed: "البيانات المستخدمة",
  thisMonth: "هذا الشهر",
  status: "حالة الحساب",
  recent: "أحدث التحويلات",
  none: "لا توجد تحويلات بعد",
  start: "ابدأ التحويل",
  badges: { waiting: "في الانتظار", processing: "قيد التنفيذ", completed: "مكتمل", failed: "فشل", canceled: "أُلغي" },
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
