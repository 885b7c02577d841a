import { pluralIn } from "../plural.ts";

const plural = pluralIn("en");

export const en = {
  welcome: (name: string) => `Welcome, ${name}`,
  converter: "Converter",
  logout: "Logout",
  following: "Following",
  totalConversions: "Total Conversions",
  dataUsed: "Data Used",
  thisMonth: "This month",
  status: "Account Status",
  recent: "Recent conversions",
  none: "No conversions yet",
  start: "Start Converting",
  search: "Search titles",
  noneFound: "No title has these words.",
  usageByDay: (days: string) => `Usage of the last ${days} days`,
  noUsage: (days: string) => `Nothing was converted in the last ${days} days.`,
  usageFailed: "The usage could not be loaded.",
  usageRetry: "Try again",
  day: "Day (UTC)",
  conversions: "Conversions",
  /** @param size of all files */
  usageSummary: (count: number, shown: string, size: string) =>
    plural(count, { one: `${shown} conversion, ${size}.`, other: `${shown} conversions, ${size}.` }),
  title: "Account",
  export: "Export my data",
  signOutEverywhere: "Sign out everywhere",
  signOutEverywhereAbout: "Signing out everywhere also revokes all tokens. Webhooks stay.",
  delete: "Delete account",
  /** Around the phrase that is to be typed. */
  deleteEndsSubscription:
    "Your subscription ends at once: nothing more is charged, and Pro is not kept for the rest of the paid period.",
  deleteExplained: {
    before: "Your files go at once, your sign-ins end, and what is stored about you is removed within 30 days. Type",
    after: "to confirm.",
  },
  deleteForGood: "Delete my account",
  signInAgainFirst: "To delete the account, sign in once more first. Then you come back here.",
  signInAgain: "Sign in again",
  keep: "Keep it",
};

export type AccountTexts = typeof en;
