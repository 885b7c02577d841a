import { pluralIn } from "../plural.ts";
import type { PlansTexts } from "./en.ts";

const plural = pluralIn("ar");
const links = (count: number) =>
  plural(count, { few: `${count} روابط`, many: `${count} رابطًا`, other: `${count} رابط` });

export const ar: PlansTexts = {
  title: "اختر خطتك.",
  tab: "الخطط",
  description: (count: number) =>
    `Tapedeck Pro شهريًا أو سنويًا: جودة أعلى ومقاطع أطول و${links(count)} دفعة واحدة وبلا إعلانات. ألغِ متى شئت.`,
  lead: (percent: string) => `Pro نفسه في الحالتين، والدفع لسنة كاملة أقل تكلفة بنسبة ${percent}.`,
  signInFirst: "تسجّل الدخول أولًا ليكون Pro متاحًا على كل أجهزتك، ثم تدفع.",
  titleForPro: "لديك Pro.",
  leadForPro: "كل ما في الأسفل لك بالفعل.",
  switch: "بدّل خطتك من «إدارة الفوترة»",
  owned: "لديك Pro",
  limits: {
    title: "حدود أعلى",
    text: (span: string, size: string, count: number) =>
      `فيديوهات حتى ${span} وملفات حتى ${size}، ${links(count)} دفعة واحدة، وكشريط واحد أيضًا، وقوائم وقنوات تتابعها.`,
  },
  quality: {
    title: "جودة ممتازة",
    text: (mp3: string, mp4: string) => `MP3 بجودة ${mp3} وMP4 بجودة ${mp4}، مع أولوية في الانتظار.`,
  },
  noAds: {
    title: "خالٍ من الإعلانات",
    text: (span: string) => `لا إعلانات في أي مكان، وتنتظرك ملفاتك لمدة ${span}.`,
  },
};
