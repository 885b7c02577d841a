import type { AccountTexts } from "./en.ts";

export const hi: AccountTexts = {
  welcome: (name: string) => `स्वागत है, ${name}`,
  converter: "कन्वर्टर",
  logout: "लॉग आउट",
  totalConversions: "कुल कन्वर्ज़न",
  dataUsed: "इस्तेमाल हुआ डेटा",
  thisMonth: "इस महीने",
  status: "खाते की स्थिति",
  recent: "हाल के कन्वर्ज़न",
  none: "अभी कोई कन्वर्ज़न नहीं",
  start: "कन्वर्ट करना शुरू करें",
  search: "शीर्षकों में खोजें",
  noneFound: "किसी शीर्षक में ये शब्द नहीं हैं।",
  usageByDay: (days) => `पिछले ${days} दिनों का इस्तेमाल`,
  noUsage: (days) => `पिछले ${days} दिनों में कुछ कन्वर्ट नहीं हुआ।`,
  usageFailed: "इस्तेमाल लोड नहीं हो सका।",
  usageRetry: "फिर कोशिश करें",
  day: "दिन (UTC)",
  conversions: "कन्वर्ज़न",
  usageSummary: (_count, shown, size) => `${shown} कन्वर्ज़न, ${size}।`,
  title: "खाता",
  export: "मेरा डेटा निर्यात करें",
  signOutEverywhere: "हर जगह से साइन आउट करें",
  signOutEverywhereAbout: "हर जगह से साइन आउट करने पर सभी टोकन भी रद्द हो जाते हैं। वेबहुक बने रहते हैं।",
  delete: "खाता हटाएँ",
  deleteEndsSubscription:
    "आपकी सदस्यता तुरंत समाप्त हो जाएगी: आगे कुछ नहीं लिया जाएगा, और चुकाई गई अवधि के बाकी समय के लिए Pro नहीं रहेगा।",
  deleteExplained: {
    before:
      "आपकी फ़ाइलें तुरंत हट जाएँगी, आपके साइन-इन समाप्त हो जाएँगे, और आपके बारे में जो सहेजा गया है वह 30 दिनों के भीतर हटा दिया जाएगा। पुष्टि के लिए",
    after: "टाइप करें।",
  },
  deleteForGood: "मेरा खाता हटाएँ",
  signInAgainFirst: "खाता हटाने के लिए पहले एक बार फिर साइन इन करें। उसके बाद आप यहीं लौट आएँगे।",
  signInAgain: "फिर से साइन इन करें",
  keep: "रहने दें",
};
