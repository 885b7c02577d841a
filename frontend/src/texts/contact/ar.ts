import type { Figures } from "../figures.ts";
import { pluralIn } from "../plural.ts";
import type { ContactTexts } from "./en.ts";

const plural = pluralIn("ar");

export const ar = {
  title: "اتصل بنا",
  description: "راسل دعم Tapedeck: المشكلات التقنية والفوترة والأفكار والأخطاء والشراكات، مع المدد التي نرد خلالها.",
  lead: "لديك سؤال أو مشكلة أو فكرة؟ أخبرنا.",
  form: {
    title: "أرسل رسالة",
    allRequired: "جميع الحقول مطلوبة.",
    firstName: "الاسم الأول",
    lastName: "اسم العائلة",
    email: "البريد الإلكتروني",
    subject: "الموضوع",
    choose: "اختر موضوعًا",
    subjects: {
      technical: "الدعم الفني",
      billing: "الفوترة",
      feature: "اقتراح ميزة",
      bug: "الإبلاغ عن خطأ",
      general: "سؤال عام",
      partnership: "شراكة",
    },
    message: "الرسالة",
    send: "إرسال الرسالة",
    sending: "جارٍ الإرسال…",
    problems: {
      firstName: "يُرجى إدخال اسمك الأول",
      lastName: "يُرجى إدخال اسم عائلتك",
      email: "يُرجى إدخال بريدك الإلكتروني",
      emailFormat: "يُرجى إدخال بريد إلكتروني مثل \u2066name@example.org\u2069",
      subject: "يُرجى اختيار موضوع",
      message: "يُرجى إدخال رسالة",
      messageLength: "يُرجى اختصار الرسالة إلى 5000 حرف",
    },
    notSent: "لم تُرسل الرسالة",
    failures: {
      failed: "تعذّر إرسال رسالتك، ونصها ما زال هنا. حاول لاحقًا أو راسلنا بالبريد الإلكتروني:",
      offline: "لا يوجد اتصال، ونصك ما زال هنا. أرسله عندما تعود إلى الإنترنت أو راسلنا بالبريد الإلكتروني:",
      limited: (when: string) => `أرسلت عدة رسائل. حاول مرة أخرى ${when} أو راسلنا بالبريد الإلكتروني:`,
    },
    needsScript: "يحتاج هذا النموذج إلى JavaScript. اكتب إلى عنواننا بدلًا منه من فضلك.",
    sent: { title: "أُرسلت الرسالة", description: "شكرًا لتواصلك معنا! سنرد عليك خلال 24 ساعة." },
  },
  times: {
    title: "مدد الرد",
    technical: "الدعم الفني",
    billing: "الفوترة",
    general: "الأسئلة العامة",
    pro: "أعضاء Pro",
    within: (hours: number) =>
      `خلال ${plural(hours, { one: "ساعة", two: "ساعتين", few: `${hours} ساعات`, other: `${hours} ساعة` })}`,
    priority: "أولوية: نرد عليهم أولًا",
  },
  write: {
    title: "راسلنا",
    text: "أرسل رسالة إلى العنوان أدناه. اذكر موضوعًا مثل الفوترة أو خطأ ما، وما نحتاج إلى معرفته لمساعدتك.",
  },
  email: { title: "بالبريد الإلكتروني", text: "إذا كنت تفضّل برنامج بريدك:" },
  faq: {
    title: "قبل أن تكتب",
    questions: (f: Figures) => [
      {
        question: "فشل تحويلي. ماذا أرسل إليكم؟",
        answer: "الرابط والصيغة والسطر الموجود أسفل العنوان في القائمة. هذا يكفينا عادةً.",
      },
      {
        question: "كيف ألغي Pro أو أسترد مالي؟",
        answer: `يمكنك الإلغاء في أي وقت والاحتفاظ بـ Pro حتى نهاية الفترة المدفوعة. ولاسترداد المبلغ خلال ${f.refund} من الدفع تكفي رسالة بموضوع الفوترة.`,
      },
      {
        question: "هل يمكنكم استعادة ملف انتهت صلاحيته؟",
        answer: `لا. تُحذف الملفات نهائيًا بعد ${f.free.kept} (مجاني) أو ${f.pro.kept} (Pro). حوّل الرابط من جديد.`,
      },
    ],
    more: "إجابات أخرى",
  },
} satisfies ContactTexts;
