import type { ChoicesTexts } from "./en.ts";

export const hi: ChoicesTexts = {
  button: "विकल्प",
  name: "इस वीडियो के विकल्प",
  formats: {
    title: "और फ़ॉर्मैट",
    names: { original: "मूल आवाज़", flac: "FLAC", wav: "WAV", transcript: "ट्रांसक्रिप्ट" },
    purposes: {
      original: "जैसी साइट पर है, M4A या Opus: दोबारा एन्कोड नहीं होती, इसलिए कुछ नहीं खोता।",
      flac: "FLAC वाले संगीत संग्रह के लिए। मूल आवाज़ से बड़ी, बेहतर नहीं।",
      wav: "बिना संपीड़न, संपादन प्रोग्रामों के लिए। सबसे बड़ी।",
      transcript: "जो कहा गया, लिखा हुआ: उपशीर्षक अपनी अलग फ़ाइल में।",
    },
    forPro: "Pro के साथ",
  },
  part: {
    title: "इसका एक हिस्सा",
    start: "शुरू",
    end: "अंत",
    startHandle: "हिस्से की शुरुआत",
    endHandle: "हिस्से का अंत",
    chosen: (length) => `${length} चुना गया`,
    chapter: "अध्याय",
    noChapter: "अध्याय चुनें",
    whole: "पूरा वीडियो लें",
    problems: {
      time: "समय 1:02:03 की तरह लिखें।",
      order: "अंत, शुरुआत से कम से कम एक सेकंड बाद होना चाहिए।",
      beyond: (end) => `वीडियो ${end} पर समाप्त होता है।`,
    },
  },
  chapterFiles: {
    title: "अध्याय",
    one: "हर अध्याय की अलग फ़ाइल",
    purpose: "इसके अध्याय नंबर और टैग वाली फ़ाइलों में, सब एक ZIP में।",
  },
  sponsored: {
    title: "प्रायोजित हिस्से",
    keep: "रहने दें",
    mark: "अध्याय के रूप में चिह्नित करें",
    cut: "काटकर निकालें",
    found: (count, length) => `${count} हिस्से, ${length}, जैसा दर्शकों ने SponsorBlock में बताया।`,
    notOriginal: "मूल आवाज़ जैसी है वैसी कॉपी होती है, इसलिए उससे कुछ काटा नहीं जा सकता; चिह्नित करने से अध्याय जुड़ते हैं।",
  },
  sound: {
    title: "आवाज़ की भाषा",
    original: (language: string) => `${language} (मूल)`,
  },
  subtitles: {
    title: "उपशीर्षक",
    none: "कोई नहीं",
    automatic: (language: string) => `${language} (अपने-आप बने)`,
    noneThere: "इस वीडियो में उपशीर्षक नहीं हैं।",
    onlyMp4: "इन्हें जोड़ने के लिए MP4 चुनें, या अलग फ़ाइल के लिए ट्रांसक्रिप्ट: दूसरे फ़ॉर्मैट में ये नहीं होते।",
    own: "वीडियो की अपनी भाषा",
    kind: "फ़ाइल का प्रकार",
    kinds: { srt: "SRT: समय के साथ, प्लेयर के लिए", vtt: "VTT: समय के साथ, वेब पेजों के लिए", txt: "सादा टेक्स्ट, बिना समय के" },
  },
  tags: {
    title: "फ़ाइल के टैग",
    song: "शीर्षक",
    artist: "कलाकार",
    album: "एल्बम",
    asFound: "साइट के टैग लें",
  },
};
