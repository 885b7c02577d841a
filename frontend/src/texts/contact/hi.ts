import type { Figures } from "../figures.ts";
import type { ContactTexts } from "./en.ts";

export const hi = {
  title: "संपर्क",
  description:
    "Tapedeck की सहायता टीम को लिखें: तकनीकी समस्याएँ, बिलिंग, सुझाव, गड़बड़ियाँ और साझेदारी, और हम कितने समय में जवाब देते हैं।",
  lead: "कोई सवाल, समस्या या सुझाव है? हमें बताएँ।",
  form: {
    title: "संदेश भेजें",
    allRequired: "सभी फ़ील्ड ज़रूरी हैं।",
    firstName: "पहला नाम",
    lastName: "उपनाम",
    email: "ईमेल",
    subject: "विषय",
    choose: "विषय चुनें",
    subjects: {
      technical: "तकनीकी सहायता",
      billing: "बिलिंग",
      feature: "नई सुविधा का सुझाव",
      bug: "गड़बड़ी की सूचना",
      general: "सामान्य सवाल",
      partnership: "साझेदारी",
    },
    message: "संदेश",
    send: "संदेश भेजें",
    sending: "भेजा जा रहा है…",
    problems: {
      firstName: "कृपया अपना पहला नाम डालें",
      lastName: "कृपया अपना उपनाम डालें",
      email: "कृपया अपना ईमेल पता डालें",
      emailFormat: "कृपया name@example.org जैसा ईमेल पता डालें",
      subject: "कृपया विषय चुनें",
      message: "कृपया संदेश लिखें",
    },
    sent: { title: "संदेश भेज दिया गया", description: "संपर्क करने के लिए धन्यवाद! हम 24 घंटे के भीतर जवाब देंगे।" },
  },
  times: {
    title: "जवाब का समय",
    technical: "तकनीकी सहायता",
    billing: "बिलिंग",
    general: "सामान्य सवाल",
    pro: "Pro सदस्य",
    within: (hours: number) => `${hours} घंटे के भीतर`,
    priority: "प्राथमिकता: सबसे पहले जवाब",
  },
  email: { title: "ईमेल से", text: "अगर आप अपना ईमेल प्रोग्राम पसंद करते हैं:" },
  faq: {
    title: "लिखने से पहले",
    questions: (f: Figures) => [
      {
        question: "मेरा कन्वर्ज़न नहीं हुआ। मैं आपको क्या भेजूँ?",
        answer: "लिंक, फ़ॉर्मैट और सूची में शीर्षक के नीचे की पंक्ति। आम तौर पर इतना ही काफ़ी है।",
      },
      {
        question: "मैं Pro कैसे रद्द करूँ या पैसे वापस पाऊँ?",
        answer: `आप कभी भी रद्द कर सकते हैं और भुगतान की गई अवधि के अंत तक Pro आपके पास रहता है। भुगतान के ${f.refund} के भीतर पैसे वापस पाने के लिए बिलिंग विषय वाला एक संदेश काफ़ी है।`,
      },
      {
        question: "क्या आप समय समाप्त हो चुकी फ़ाइल लौटा सकते हैं?",
        answer: `नहीं। फ़ाइलें ${f.free.kept} (मुफ़्त) या ${f.pro.kept} (Pro) के बाद हमेशा के लिए हटा दी जाती हैं। लिंक को फिर से कन्वर्ट करें।`,
      },
    ],
    more: "और जवाब",
  },
} satisfies ContactTexts;
