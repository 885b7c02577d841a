import type { SubscribeTexts } from "./en.ts";

export const ar: SubscribeTexts = {
  title: "الترقية إلى Pro",
  plan: "الخطة",
  payment: "الدفع",
  form: "الدفع بالبطاقة",
  loadingForm: "جارٍ تحميل نموذج البطاقة",
  unloadable: {
    title: "تعذّر تحميل نموذج البطاقة",
    text: "تحقّق من اتصالك ومن أن متصفحك لا يحجب صفحات الدفع. لم يُخصم أي مبلغ.",
    retry: "إعادة المحاولة",
  },
  processing: "جارٍ الدفع…",
  saveCard: "احفظ البطاقة وابدأ Pro",
  again: (price: string, date: string) => `تدفع ${price} اليوم، ثم مرة أخرى في ${date}، ما لم تُلغِ قبل ذلك.`,
  accepted: {
    before: "تتولى Stripe الدفع وتحفظ بطاقتك؛ ونحن لا نراها أبدًا. وبالدفع تقبل ",
    link: "شروط الخدمة",
    after: ".",
  },
  states: {
    settingUp: "جارٍ إعداد اشتراكك…",
    back: "العودة إلى المحوّل",
    unconfigured: {
      title: "خطأ في إعداد نظام الدفع",
      text: "لم يُعدّ الدفع على هذا الخادم، فلا يمكن شراء شيء ولم يُخصم أي مبلغ. كل ما عدا ذلك يعمل. يُرجى إخبار فريق الدعم.",
    },
    noSecret: { title: "تعذّر بدء الدفع. يُرجى المحاولة مرة أخرى.", text: "لم يُخصم أي مبلغ.", back: "العودة" },
    activating: {
      title: "تم تأكيد دفعتك",
      text: "يجري تفعيل Pro وسيظهر من تلقاء نفسه. لا شيء آخر عليك دفعه.",
      go: "الذهاب إلى المحوّل",
    },
    hasPro: "لديك Pro بالفعل",
    hasSubscription: "لديك اشتراك بالفعل",
    nothingToPay: "لا شيء آخر عليك دفعه",
    granted: "مُنح Pro لحسابك، فلا شيء عليك دفعه.",
    overdue: (plan: string) => `${plan} ينتظر دفعة لم تكتمل. حدّث بطاقتك من «إدارة الفوترة».`,
    ends: (plan: string, date: string) =>
      `${plan} مُلغى ويستمر حتى ${date}. البطاقة والفواتير والإلغاء في «إدارة الفوترة».`,
    renews: (plan: string, date: string) => `${plan} يتجدّد في ${date}. البطاقة والفواتير والإلغاء في «إدارة الفوترة».`,
  },
};
