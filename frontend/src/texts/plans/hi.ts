import type { PlansTexts } from "./en.ts";

export const hi: PlansTexts = {
  title: "अपना प्लान चुनें।",
  tab: "प्लान",
  description: (links: number) =>
    `Tapedeck Pro मासिक या सालाना: बेहतर क्वालिटी, लंबे वीडियो, एक साथ ${links} लिंक और कोई विज्ञापन नहीं। जब चाहें रद्द करें।`,
  lead: (percent: string) => `दोनों में वही Pro; पूरे साल का एक साथ लेना ${percent} सस्ता पड़ता है।`,
  signInFirst: "पहले साइन इन करें, ताकि Pro आपके सभी डिवाइस पर मिले। फिर भुगतान करें।",
  titleForPro: "आपके पास Pro है।",
  leadForPro: "नीचे का सब कुछ पहले से आपका है।",
  switch: "“बिलिंग संभालें” में बदलें",
  owned: "आपके पास Pro है",
  limits: {
    title: "ऊँची सीमाएँ",
    text: (span: string, size: string, links: number) =>
      `${span} तक के वीडियो और ${size} तक की फ़ाइलें, एक साथ ${links} लिंक, एक टेप के रूप में भी, और प्लेलिस्ट व चैनल जिन्हें आप फ़ॉलो करते हैं।`,
  },
  quality: {
    title: "बेहतरीन क्वालिटी",
    text: (mp3: string, mp4: string) => `MP3 ${mp3} पर और MP4 ${mp4} में, कतार में सबसे पहले।`,
  },
  noAds: {
    title: "विज्ञापन-मुक्त",
    text: (span: string) => `कहीं कोई विज्ञापन नहीं, और फ़ाइलें ${span} तक आपके लिए रखी रहती हैं।`,
  },
};
