import type { ProTexts } from "./en.ts";

export const hi: ProTexts = {
  member: "Pro सदस्य",
  features: "Pro की सुविधाएँ",
  everything: "सब कुछ",
  unlimited: "असीमित कन्वर्ज़न",
  batchOf: (links: number) => `${links} लिंक का बैच`,
  storage: (days: number) => `${days} दिन का स्टोरेज`,
  fileLimit: (megabytes: number) => `${megabytes} MB तक की फ़ाइलें`,
  monthlyLimit: (megabytes: number) => `${megabytes} MB मासिक सीमा`,
  completed: (count: number) => `${count} पूरे`,
  active: (count: number) => `${count} जारी या प्रतीक्षा में`,
  dataUsage: "डेटा उपयोग",
};
