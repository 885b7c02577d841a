import type { ExtensionTexts } from "./en.ts";

export const ar: ExtensionTexts = {
  language: "ar",
  about: "يحوّل الصفحة المفتوحة إلى MP3 أو MP4 على خادم Tapedeck الخاص بك.",
  convert: "تحويل هذه الصفحة",
  starting: "جارٍ البدء…",
  progress: (title, percent) => (percent === undefined ? `${title}: في الانتظار` : `${title}: ${percent} %`),
  download: (titles) => `جاهز. اضغط للتنزيل: ${titles}`,
  lost: "انقطع الاتصال. تجري المحاولة من جديد…",
  noServer: (server) => `لا اتصال بـ ${server}. تحقق من العنوان ومن شبكتك ثم حاول من جديد.`,
  notAllowed: (server) => `لا يسمح المتصفح لهذه الإضافة بالوصول إلى ${server}. احفظ الإعدادات من جديد.`,
  pages: {
    options: {
      title: "Tapedeck في متصفحك",
      server: "عنوان الخادم",
      token: "الرمز",
      aboutToken: "أنشئ في لوحة التحكم رمزًا يُسمح له بالقراءة والتحويل والتنزيل.",
      dashboard: "فتح لوحة التحكم",
      format: "تحويل الصفحات إلى",
      save: "حفظ",
      saved: (name) => `مرحبًا ${name}. كل شيء جاهز.`,
      noAddress: "هذا ليس عنوان خادم. يكون شكله هكذا: https://tapedeck.example",
      needsPermission: "من دون هذا الإذن لا تصل الإضافة إلى الخادم. احفظ من جديد واسمح بذلك.",
      openToReaders: "هذا الخادم بلا https: يمكن لآخرين على الطريق قراءة الرمز.",
    },
    problem: { title: "لم ينجح ذلك", retry: "حاول من جديد", settings: "الإعدادات" },
  },
};
