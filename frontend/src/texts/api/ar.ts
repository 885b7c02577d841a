import type { ApiTexts } from "./en.ts";

export const ar: ApiTexts = {
  title: "واجهة Tapedeck البرمجية",
  lead: "كل ما تفعله الصفحة تستطيع برامجك فعله. أنشئ رمزًا في لوحة التحكم وأرسله في الترويسة «Authorization: Bearer». الوصف باللغة الإنجليزية.",
  loading: "جارٍ تحميل الوصف",
  failed: "تعذّر تحميل الوصف.",
  retry: "أعد المحاولة",
};
