import type { ApiTexts } from "./en.ts";

export const hi: ApiTexts = {
  title: "Tapedeck की API",
  lead: "पेज जो कुछ करता है, वह सब आपके प्रोग्राम भी कर सकते हैं। डैशबोर्ड पर टोकन बनाएँ और उसे “Authorization: Bearer” के रूप में भेजें। विवरण अंग्रेज़ी में है।",
  loading: "विवरण लोड हो रहा है",
  failed: "विवरण लोड नहीं हो सका।",
  retry: "फिर से कोशिश करें",
};
