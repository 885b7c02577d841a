import type { PlayerTexts } from "./en.ts";

export const hi: PlayerTexts = {
  play: (title: string) => `${title} चलाएँ`,
  pause: (title: string) => `${title} रोकें`,
  line: (title: string) => `${title} में स्थान`,
  position: (at: string, of: string) => `${of} में से ${at}`,
  broken: "चलना बीच में रुक गया। फिर से चलाएँ दबाएँ, या फ़ाइल डाउनलोड करें।",
  startsOver: "बदलना शुरू से हो रहा है। जब पंक्ति में लिखा हो कि चला सकते हैं, तब फिर चलाएँ।",
};
