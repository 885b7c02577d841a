import { pluralIn } from "../plural.ts";
import type { ListTexts } from "./en.ts";

const plural = pluralIn("ar");

export const ar: ListTexts = {
  name: "فيديوهات القائمة",
  loading: "تجري قراءة القائمة",
  entries: (count, shown) =>
    plural(count, {
      zero: `${shown} عنصر`,
      one: `عنصر واحد (${shown})`,
      two: `عنصران (${shown})`,
      few: `${shown} عناصر`,
      many: `${shown} عنصرًا`,
      other: `${shown} عنصر`,
    }),
  readSoFar: (shown) => `قُرئ ${shown} حتى الآن…`,
  announce: (title, entries) => `قائمة: ${title}، ${entries}.`,
  cut: (most) => `تظهر أول ${most} فقط.`,
  failed: "لا يمكن قراءة هذه القائمة حاليًا.",
  noList: "لا يمكن سرد الفيديوهات وراء هذا الرابط. افتح واحدًا منها والصق رابطه الخاص.",
  stopped: "تعذّرت قراءة بقية القائمة.",
  retry: "حاول مرة أخرى",
  search: "ابحث في العناوين",
  noMatch: "لا عنوان فيه هذه الكلمات.",
  all: "الكل",
  first: (count) => `أول ${count}`,
  none: "لا شيء",
  range: "اختر نطاقًا",
  rangeFirst: "اضغط أول فيديو.",
  rangeLast: "والآن اضغط آخر فيديو.",
  chosen: (chosen, total) => `اختير ${chosen} من ${total}`,
  chosenSoFar: (chosen) => `اختير ${chosen}`,
  single: (atOnce) => `تحوّل خطتك فيديو واحدًا كل مرة. يحوّل Pro حتى ${atOnce} معًا، وقوائم كاملة.`,
  batches: (shown, batches, size) =>
    `عدد الفيديوهات ${shown}: ${batches} دفعات من ${size} على الأكثر، واحدة بعد الأخرى.`,
  oneBatch: (shown) => `عدد الفيديوهات ${shown}، في دفعة واحدة.`,
  tooLong: (most) => `أطول من ${most}.`,
  tooLongForFree: (most) => `أطول من ${most}؛ يقبله Pro.`,
  problems: {
    private: "هذا الفيديو خاص.",
    deleted: "حُذف هذا الفيديو.",
    members_only: "لأعضاء القناة المشتركين بمقابل فقط.",
    upcoming: "لم يبدأ هذا الفيديو بعد.",
    live: "بث مباشر الآن: عُد عندما ينتهي.",
    list: "هذه قائمة بذاتها: الصق رابطها.",
    not_accepted: "على موقع غير مدعوم.",
    unavailable: "هذا الفيديو غير متاح.",
  },
  nothingChosen: { title: "لم يُختر شيء", description: "اختر فيديو واحدًا على الأقل من القائمة." },
  inList: "هذا الفيديو ضمن قائمة.",
  chooseFromList: "اختر من القائمة",
  onlyVideo: "هذا الفيديو فقط",
  tape: {
    asOne: "كشريط واحد أيضًا",
    purpose: "كلها في ملف واحد بفصول، حين يجهز الأخير.",
    problems: {
      format: () => "من MP3 والصوت الأصلي فقط.",
      few: () => "اختر فيديوهين على الأقل.",
      many: (most) => `يتسع الشريط لـ ${most}.`,
    },
  },
  follow: {
    offer: "يمكن أن تأتي الفيديوهات الجديدة وحدها.",
    offerForPro: "مع Pro تأتي الفيديوهات الجديدة وحدها.",
    follow: "متابعة",
    busy: "تجري قراءة القائمة…",
    done: "أنت تتابع هذه القائمة.",
    conflict: "أنت تتابع هذه القائمة بالفعل، أو كل ما يتيحه Pro.",
    failed: "لم ينجح ذلك. تحقق من اتصالك وحاول مرة أخرى.",
    seeAll: "اعرض ما تتابعه",
  },
  row: {
    waitsForSongs: (left, songs) => `بانتظار ${left} من ${songs} أغنية`,
    ready: (ready, total) => `جاهز ${ready} من ${total}`,
    follow: (count, shown) =>
      plural(count, { one: `يتبع واحد (${shown})`, two: `يتبع اثنان (${shown})`, other: `يتبع ${shown}` }),
    goneFromPage: (count) => `لم تعد معروضة: ${count}`,
  },
};
