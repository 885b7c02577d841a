import type { PlayerTexts } from "./en.ts";

export const ar: PlayerTexts = {
  play: (title: string) => `تشغيل ${title}`,
  pause: (title: string) => `إيقاف ${title} مؤقتًا`,
  line: (title: string) => `الموضع في ${title}`,
  position: (at: string, of: string) => `${at} من ${of}`,
  broken: "انقطع التشغيل. اضغط تشغيل مرة أخرى، أو نزّل الملف.",
  startsOver: "يبدأ التحويل من جديد. شغّله مرة أخرى عندما يقول الصف إنه يمكن تشغيله.",
};
