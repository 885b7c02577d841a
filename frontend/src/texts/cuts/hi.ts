import type { CutTexts } from "./en.ts";

export const hi: CutTexts = {
  cutAgain: "फिर से काटें",
  cutAgainOf: (title) => `फिर से काटें: ${title}`,
  close: "बंद करें",
  loading: "आवाज़ का चित्र बन रहा है…",
  noWaveform: "आवाज़ का चित्र नहीं बन सका। आप इसके बिना भी काट सकते हैं।",
  again: "फिर कोशिश करें",
  playStart: "शुरुआत सुनें",
  playEnd: "अंत सुनें",
  address: "इस हिस्से का लिंक",
  copyLink: "लिंक कॉपी करें",
  copied: "कॉपी हो गया",
  cut: "काटें",
  cutting: "काटा जा रहा है…",
  gone: "यह फ़ाइल अब यहाँ नहीं है। हिस्से को उसके लिंक से कन्वर्ट करें।",
  failed: "फ़ाइल काटी नहीं जा सकी। अपना कनेक्शन जाँचें और फिर कोशिश करें।",
};
