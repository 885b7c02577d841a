import type { ExtensionTexts } from "./en.ts";

export const hi: ExtensionTexts = {
  language: "hi",
  about: "आप जिस पेज पर हैं, उसे आपके Tapedeck सर्वर पर MP3 या MP4 में बदलता है।",
  convert: "इस पेज को बदलें",
  starting: "शुरू हो रहा है …",
  progress: (title, percent) => (percent === undefined ? `${title}: इंतज़ार में` : `${title}: ${percent} %`),
  download: (titles) => `तैयार है। डाउनलोड करने के लिए दबाएँ: ${titles}`,
  lost: "कनेक्शन टूट गया है। फिर कोशिश हो रही है …",
  noServer: (server) => `${server} से कनेक्शन नहीं है। पता और अपना नेटवर्क जाँचें, फिर दोबारा कोशिश करें।`,
  notAllowed: (server) => `ब्राउज़र इस एक्सटेंशन को ${server} तक पहुँचने नहीं देता। सेटिंग फिर से सेव करें।`,
  pages: {
    options: {
      title: "आपके ब्राउज़र में Tapedeck",
      server: "सर्वर का पता",
      token: "टोकन",
      aboutToken: "अपने डैशबोर्ड पर ऐसा टोकन बनाएँ जो पढ़, बदल और डाउनलोड कर सके।",
      dashboard: "डैशबोर्ड खोलें",
      format: "पेज इसमें बदलें",
      save: "सेव करें",
      saved: (name) => `नमस्ते ${name}। सब तैयार है।`,
      noAddress: "यह किसी सर्वर का पता नहीं है। वह ऐसा दिखता है: https://tapedeck.example",
      needsPermission: "इस अनुमति के बिना एक्सटेंशन सर्वर तक नहीं पहुँच सकता। फिर से सेव करें और अनुमति दें।",
      openToReaders: "इस सर्वर पर https नहीं है: रास्ते में दूसरे लोग टोकन पढ़ सकते हैं।",
    },
    problem: { title: "यह नहीं हो पाया", retry: "फिर कोशिश करें", settings: "सेटिंग" },
  },
};
