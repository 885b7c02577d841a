import { pluralIn } from "../plural.ts";
import type { LoginTexts } from "./en.ts";

const plural = pluralIn("ar");
const links = (count: number) =>
  plural(count, { few: `${count} روابط`, many: `${count} رابطًا`, other: `${count} رابط` });

export const ar: LoginTexts = {
  title: "دخول مستخدمي Pro",
  description: (count: number) =>
    `سجّل الدخول إلى Tapedeck Pro: جودة أعلى ومقاطع أطول و${links(count)} دفعة واحدة وبلا إعلانات.`,
  text: "تسجّل الدخول عبر خدمة الدخول الخاصة بنا. لا توجد كلمة مرور تكتبها هنا.",
  notSetUp: "تسجيل الدخول غير مُعدّ على هذا الخادم.",
  password: "كلمة المرور",
  passwordHint: "غير مطلوبة هنا",
  signIn: "الدخول كمستخدم Pro",
  signingIn: "جارٍ تسجيل الدخول…",
  back: "العودة إلى الصفحة الرئيسية",
  errors: {
    unavailable: "لا يمكن الوصول إلى خدمة الدخول حاليًا. حاول مرة أخرى بعد بضع دقائق.",
    refused: "رُفض تسجيل الدخول أو أُلغي. حاول مرة أخرى إن لم يكن ذلك قصدك.",
    expired: "استغرق تسجيل الدخول وقتًا طويلًا. ابدأ من جديد وسينجح.",
    invalid: "لم يكن رد خدمة الدخول موثوقًا، لذلك لم يُسجَّل دخول أحد. حاول مرة أخرى.",
    rate_limited: "محاولات دخول كثيرة في وقت قصير. انتظر دقيقة وحاول مرة أخرى.",
  },
};
