import type { HelpTexts } from "./en.ts";

export const hi = {
  anywhere: {
    title: "कहीं से भी",
    bookmark: {
      text: "यह बटन अपने बुकमार्क में खींचें। किसी वीडियो के पेज पर बुकमार्क दबाएँ: Tapedeck उसके लिंक के साथ खुलता है और दिखाता है कि क्या बदला जाएगा।",
      name: "Tapedeck से बदलें",
      drag: "इसे अपनी बुकमार्क पट्टी में खींचें: यहाँ दबाने से कुछ नहीं होता। माउस न हो तो कोड कॉपी करें और उसे किसी बुकमार्क का पता बनाएँ।",
      copy: "कोड कॉपी करें",
      copied: "कॉपी हो गया। इसे किसी बुकमार्क का पता बनाएँ।",
    },
    shortcut: {
      title: "iPhone या iPad के शेयर बटन से",
      steps: {
        token: "अपने डैशबोर्ड पर ऐसा टोकन बनाएँ जो पढ़, बदल और डाउनलोड कर सके। नीचे TOKEN की जगह वही आता है।",
        make: "Shortcuts ऐप में नया शॉर्टकट बनाएँ। उसके विवरण में Show in Share Sheet चालू करें और उसे URL लेने दें।",
        convert:
          "Get Contents of URL जोड़ें, इस पते, तरीके, हेडर और JSON के साथ। youtubeUrl का मान Shortcut Input नाम का वेरिएबल है।",
        answer:
          "id के लिए Get Dictionary Value जोड़ें। मान न हो तो message का मान दिखाएँ, जो बताता है कि क्या गड़बड़ है, और शॉर्टकट रोक दें।",
        look: "Repeat जोड़ें, 300 बार। उसमें इस पते के साथ Get Contents of URL रखें, जिसमें ID की जगह id का मान हो, और status के लिए Get Dictionary Value।",
        file: "status completed हो तो: इस पते के साथ Get Contents of URL, फिर Save File, फिर Stop This Shortcut।",
        other: "status failed हो तो: error.message का मान दिखाएँ और रोक दें। नहीं तो: Wait, 2 सेकंड।",
      },
    },
    programs: {
      title: "ब्राउज़र एक्सटेंशन, कमांड लाइन या आपके अपने प्रोग्राम से",
      text: "Tapedeck के सोर्स में Chrome और Firefox के लिए एक बटन वाला एक्सटेंशन है, और tapedeck कमांड। दोनों आपके डैशबोर्ड के टोकन से चलते हैं। जो वे करते हैं, वह आपका अपना प्रोग्राम भी कर सकता है:",
      link: "प्रोग्राम Tapedeck को कैसे बुलाते हैं",
    },
  },
  more: {
    title: "अब भी उलझन है?",
    text: "संपर्क पेज पर आम सवालों के जवाब और हमारी सहायता का पता है।",
    button: "सहायता से संपर्क करें",
  },
} satisfies HelpTexts;
