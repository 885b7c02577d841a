export const en = {
  member: "Pro Member",
  features: "Pro Features",
  everything: "Everything",
  unlimited: "Unlimited conversions",
  batchOf: (links: number) => `Batch of ${links} URLs`,
  storage: (days: number) => `${days}-day storage`,
  fileLimit: (megabytes: number) => `${megabytes}MB file limit`,
  monthlyLimit: (megabytes: number) => `${megabytes}MB monthly limit`,
  completed: (count: number) => `${count} completed`,
  active: (count: number) => `${count} processing or pending`,
  dataUsage: "Data Usage",
};

export type ProTexts = typeof en;
