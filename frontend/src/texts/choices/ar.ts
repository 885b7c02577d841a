import { pluralIn } from "../plural.ts";
import type { ChoicesTexts } from "./en.ts";

const plural = pluralIn("ar");

export const ar: ChoicesTexts = {
  button: "خيارات",
  name: "خيارات هذا الفيديو",
  tabs: { cut: "القص", format: "الصيغة", subtitles: "الترجمة المكتوبة", tags: "الوسوم" },
  noLength: "مدة هذا الفيديو غير معروفة، فلا يمكن أخذ جزء منه.",
  formats: {
    title: "صيغ أخرى",
    names: { original: "الصوت الأصلي", flac: "FLAC", wav: "WAV", transcript: "نص مكتوب" },
    purposes: {
      original: "كما هو في الموقع، M4A أو Opus: لا يُرمَّز من جديد، فلا يضيع شيء.",
      flac: "لمجموعات الموسيقى بصيغة FLAC. أكبر من الصوت الأصلي، لا أفضل.",
      wav: "بلا ضغط، لبرامج التحرير. الأكبر حجمًا.",
      transcript: "ما يقال في الفيديو نصًا: الترجمة المكتوبة في ملف مستقل.",
    },
    forPro: "مع Pro",
  },
  part: {
    title: "جزء منه",
    start: "البداية",
    end: "النهاية",
    startHandle: "بداية الجزء",
    endHandle: "نهاية الجزء",
    chosen: (length) => `المحدد: ${length}`,
    chapter: "الفصل",
    noChapter: "اختر فصلًا",
    whole: "أخذ الفيديو كاملًا",
    problems: {
      time: "اكتب وقتًا مثل 1:02:03.",
      order: "يجب أن تكون النهاية بعد البداية بثانية واحدة على الأقل.",
      beyond: (end) => `ينتهي الفيديو عند ${end}.`,
    },
  },
  chapterFiles: {
    title: "الفصول",
    one: "ملف لكل فصل",
    purpose: "فصوله في ملفات مرقّمة وموسومة، كلها في ملف ZIP واحد.",
  },
  sponsored: {
    ofMany: "في فيديوهات YouTube، كما علّمها المشاهدون في SponsorBlock.",
    title: "المقاطع الدعائية",
    keep: "إبقاؤها",
    mark: "تعليمها كفصول",
    cut: "قصّها",
    found: (count, length) =>
      `${plural(count, { one: "مقطع واحد", two: "مقطعان", few: `${count} مقاطع`, other: `${count} مقطعًا` })}، ${length}، كما حدّدها المشاهدون في SponsorBlock.`,
    notOriginal: "يُنسخ الصوت الأصلي كما هو، فلا يمكن قص شيء منه؛ التعليم يضيف فصولًا.",
  },
  sound: {
    title: "لغة الصوت",
    original: (language: string) => `${language} (الأصلية)`,
  },
  many: {
    cut: "يمكن أخذ جزء من فيديو واحد فقط، لا من عدة فيديوهات.",
    tags: "يحتفظ كل فيديو بوسوم موقعه، ولا يمكن تغييرها إلا لفيديو واحد في كل مرة.",
    language: "الفيديو الذي لا تتوفر له هذه اللغة يفشل، وتستمر بقية الفيديوهات.",
    original: "اللغة الأصلية لكل فيديو",
  },
  subtitles: {
    title: "الترجمة المكتوبة",
    none: "بلا",
    automatic: (language: string) => `${language} (تلقائية)`,
    noneThere: "ليس في هذا الفيديو ترجمة مكتوبة.",
    onlyMp4: "اختر MP4 لإضافتها، أو «نص مكتوب» لملف مستقل: الصيغ الأخرى لا تحملها.",
    own: "لغة الفيديو نفسه",
    kind: "نوع الملف",
    kinds: { srt: "SRT: مع الأوقات، للمشغلات", vtt: "VTT: مع الأوقات، لصفحات الويب", txt: "نص عادي بلا أوقات" },
  },
  tags: {
    title: "وسوم الملف",
    song: "العنوان",
    artist: "الفنان",
    album: "الألبوم",
    date: "التاريخ",
    dateExample: "2024-05-17",
    description: "الوصف",
    asFound: "أخذ وسوم الموقع",
  },
};
