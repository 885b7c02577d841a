/**
 * All texts of the pages in English; the other languages have the same keys.
 * Functions receive formatted figures, or a plain number where the plural form depends on it.
 */
import { OWN_SENTENCES, PAGE_SENTENCES } from "../../../common/errors.ts";
import type { ErrorCode } from "../../../common/error-codes.ts";
import { FINDING_WORDS } from "../../../common/finding-words.ts";
import type { ExactReason } from "../../../common/reasons.ts";
import { CHAPTER_FILES_FOR_PRO, formatForProSentence, REASON_SENTENCES } from "../../../common/reason-sentences.ts";
import { pluralIn } from "./plural.ts";

const plural = pluralIn("en");

/**
 * English pages show the server's own sentence: what they say themselves is here, so that the others stay out of the first
 * scripts. The types are complete, so that the compiler reports a missing translation.
 */
const errors = OWN_SENTENCES as Readonly<Record<ErrorCode, string>>;
const exactErrors = PAGE_SENTENCES as Readonly<Record<ExactReason, string>>;

export const en = {
  errors,

  exactErrors,

  /** Of errors with figures; the last ones are null where Pro allows no more. */
  reasons: {
    ...REASON_SENTENCES,
    /** @param format such as "FLAC" */
    format_for_pro: formatForProSentence,
    chapter_files_for_pro: CHAPTER_FILES_FOR_PRO,
    starts_later: (when: string) => `This video starts around ${when}. Come back when it has ended.`,
    /** @param when "in 12 seconds" */
    too_many_requests: (when: string) => `Too many requests. Try again ${when}.`,
    too_many_active: (active: number, most: number) =>
      `You have ${plural(active, { one: "one conversion", other: `${active} conversions` })} running, and ${most} is the most at a time. Wait until one has finished.`,
  },

  /** What search engines and shared links show of a page. */
  description: "Paste a video link and get an MP3 or an MP4, with the work shown live. No account needed.",

  nav: {
    sections: "Sections",
    converter: "Converter",
    pricing: "Pricing",
    proUser: "Pro User",
    freeUser: "Free User",
    dashboard: "Dashboard",
    logout: "Logout",
    login: "Pro Login",
    upgrade: "Upgrade to Pro",
    proPage: "Pro page",
    account: "Account",
    menu: "Menu",
  },

  footer: {
    help: "Help",
    contact: "Contact",
    privacy: "Privacy",
    terms: "Terms",
    language: "Language",
    colors: { label: "Colors", system: "Like the system", light: "Light", dark: "Dark" },
    /** For keyboards and screen readers, above the top bar. */
    skip: "Skip to content",
    install: "Install app",
  },

  debug: {
    title: "Debug",
    device: (id: string) => `Device ${id}`,
    auth: (isSignedIn: boolean) => `Auth ${isSignedIn ? "Yes" : "No"}`,
    user: (id: string | null) => `User ${id ?? "Anonymous"}`,
  },

  ads: {
    mark: "Ad",
    names: {
      header: "Advertisement, header",
      leaderboard: "Advertisement, leaderboard",
      footer: "Advertisement, footer",
    },
    header: "Hear what you keep: studio headphones, 20 % off this week.",
    leaderboard: "Your music deserves better than laptop speakers. Closed-back studio headphones, 20 % off this week.",
    footer: "Made for long evenings: headphones you forget you are wearing.",
  },

  failure: {
    title: "This page has stopped working",
    text: "Your conversions are safe and go on without it. Reload the page to see them.",
    reload: "Reload the page",
    offlineTitle: "This page comes when the connection is back",
    offlineText: "You are offline. It opens by itself then; your conversions go on without it.",
  },

  toasts: {
    region: (hotkey: string) => `Notifications (${hotkey})`,
    dismiss: "Dismiss",
    languageFailed: {
      title: "Language Not Changed",
      description: "It could not be loaded. Check the connection and try again.",
    },
  },

  home: {
    title: { first: "Paste a link.", second: "Keep the tape." },
    lead: "MP3 or MP4 from a video link, with a bar that tells the truth. No account needed.",
    usual: (span: string) => `Usually ready in ${span}`,
    /** Shown while a video site fails for most visitors; two lines on a narrow phone. */
    failing: {
      youtube: {
        refusing: "YouTube is refusing us at the moment; jobs wait and start by themselves.",
        changed: "YouTube has changed, and most links fail until we have caught up. We know of it.",
      },
    },
  },

  notFound: {
    title: "404 Page Not Found",
    text: "There is no tape in this deck. The converter is where you left it.",
    back: "Back to the converter",
  },

  converter: {
    name: "Converter",
    mode: "Mode",
    single: "Single URL",
    batch: "Batch",
    format: "Format",
    link: "Video link",
    linkPlaceholder: "Paste a video link",
    links: "Video links, one a line",
    linksPlaceholder: "Paste video links, one a line",
    paste: "Paste",
    cancel: "Cancel",
    convert: "Convert",
    convertAll: "Convert all",
    starting: "Starting…",
    trySample: "Try a sample link",
    proMakesIt: (quality: string) => `Pro makes it ${quality}`,
    fast: "Fast Processing",
    found: (found: number, most: number) =>
      plural(found, { one: `${found} found URL out of ${most}`, other: `${found} found URLs out of ${most}` }),
    pasted: (count: number) => `You pasted ${count} links.`,
    isBatchNow: "Each is a line of this batch now.",
    firstKept: (count: number, most: number) =>
      `The first of ${count} links is in the field. Pro takes up to ${most} at once.`,
    dropHere: "Drop the link here",
    /** For screen readers: the job in the place of the preview. */
    current: "Latest conversion",
    preview: {
      name: "Preview",
      hint: "Paste a link anywhere on this page, or drop one, and see here what it leads to.",
      loading: "Looking at the link",
      announce: (title: string, length: string) => `${title}, ${length}.`,
      about: (size: string) => `about ${size}`,
      sizeUnknown: "size unknown",
      doesNotFit: "Beyond what your plan allows.",
      failed: "This link cannot be shown beforehand. Converting it may work all the same.",
    },
    refusedLines: "Refused links",
    refused: (count: number) =>
      plural(count, { one: "One link was not started", other: `${count} links were not started` }),
    editRefused: "Edit them",
    line: (line: number) => `Line ${line}: `,
    problems: {
      empty: "Please enter a YouTube URL",
      unknown: "Please enter a valid YouTube URL",
      noLinks: "Please enter at least one valid YouTube URL",
      tooMany: (most: number) => `Pro users can process up to ${most} URLs at once`,
    },
    notices: {
      invalid: "Invalid URL",
      noLinks: "No Valid URLs",
      tooMany: "Too Many URLs",
      started: { title: "Conversion Started", description: "Your video has been added to the queue!" },
      failed: { title: "Conversion Failed", description: "Failed to start conversion" },
      canceled: { title: "Conversion Canceled", description: "URL conversion has been canceled" },
      batchStarted: {
        title: "Batch Started",
        description: (count: number) =>
          plural(count, { one: `Processing ${count} video`, other: `Processing ${count} videos` }),
      },
      batchFailed: { title: "Batch Failed", description: "Failed to start batch conversion" },
      nothingPasted: {
        title: "Nothing Pasted",
        description: "Press Ctrl+V, or ⌘V on a Mac; on a phone, hold the field and choose Paste.",
      },
    },
  },

  queue: {
    title: "Your queue",
    list: "Conversions",
    reconnecting: "Reconnecting…",
    working: (count: number) => `${count} working`,
    waiting: (count: number) => `${count} waiting`,
    showAll: (count: number) => `Show all ${count}`,
    empty: { title: "Nothing here yet", text: "Paste a link above and watch it become a file." },
    /** When the only conversion is shown above. */
    emptyRest: { title: "No other conversions", text: "They gather here when you start the next one." },
    loading: "Loading your conversions",
    unreachable: {
      title: "Your conversions could not be loaded",
      text: "They are safe at the server. We keep trying.",
      retry: "Try again",
    },
    whenReady: "When ready…",
    notify: {
      label: "Notify me when a conversion ends",
      blocked: "The browser does not let this site notify. Its settings for the site can change that.",
    },
    tone: "Play a tone when a conversion is ready",
    autoDownload: "Download by itself when a conversion is ready",
    announce: {
      started: (title: string) => `${title} has started.`,
      quarter: (title: string, percent: string) => `${title}: ${percent}.`,
      waits: (title: string, wait: string) => `${title}: ${wait}.`,
      ended: (title: string, outcome: string) => `${title} has ended: ${outcome}.`,
      ready: (title: string) => `${title} is ready to download.`,
      failed: (title: string, reason: string) => `${title} failed. ${reason}`,
    },
  },

  network: {
    offline: "Offline",
    updatedEvery: (seconds: number) => `updated every ${seconds} s`,
    /** In the place of the preview. */
    preview: "You are offline. Press Convert: the link is kept, and sent when you are back.",
    kept: {
      list: "Requests waiting for the connection",
      waiting: "Waiting for connection",
      takeBack: "Take back",
      takeBackOf: (title: string) => `Take back ${title}`,
      batch: (count: number) => plural(count, { one: `Batch of ${count} link`, other: `Batch of ${count} links` }),
    },
    away: {
      title: "You are offline",
      text: "Your conversions are safe at the server. A link you paste now is kept, and sent when you are back.",
    },
    notices: {
      kept: { title: "Waiting for Connection", description: "Your request is kept and sent once you are back online." },
      expired: {
        title: "Not Sent",
        description:
          "A request waited for the connection for longer than a day, so it was dropped. Start it again if you still need it.",
      },
      full: "Too many requests are waiting for the connection already.",
    },
  },

  job: {
    waiting: "Waiting",
    ready: "Ready",
    downloaded: "Downloaded ✓",
    failed: "Failed",
    canceled: "Canceled",
    blocked: "Removed",
    expired: "Expired",
    expires: (when: string) => `expires ${when}`,
    siteWait: {
      later: (when: string) => `The video site asks us to wait; continues ${when}`,
      soon: "The video site asks us to wait; continues in a moment",
    },
    /** While the server looks for a newer yt-dlp. */
    catchingUp: {
      later: (when: string) => `The video site has changed; continues ${when}`,
      soon: "The video site has changed; continues in a moment",
    },
    ...FINDING_WORDS,
    attempt: (attempt: number) => `attempt ${attempt}`,
    stages: { download: "Downloading", convert: "Converting", store: "Saving" },
    /** The file may be downloaded while it is made. */
    early: "Already playable",
    /** In the row of a running job, in the place of its format. */
    offline: "Offline: goes on at the server",
    slower: "slower than expected",
    progress: (title: string) => `Progress of ${title}`,
    download: "Download",
    downloadOf: (title: string) => `Download ${title}`,
    cancel: "Cancel",
    cancelOf: (title: string) => `Cancel ${title}`,
    remove: "Remove",
    removeOf: (title: string) => `Remove ${title}`,
    removed: (title: string) => `Removed: ${title}`,
    undo: "Undo",
    undoOf: (title: string) => `Undo the removal of ${title}`,
    retry: "Retry",
    retryOf: (title: string) => `Retry ${title}`,
    notices: {
      cancelFailed: { title: "Cancel Failed", description: "Failed to cancel conversion" },
      removeFailed: { title: "Remove Failed", description: "Failed to remove conversion" },
      retryFailed: { title: "Retry Failed", description: "Failed to retry conversion" },
    },
  },

  /** Beside a limit or a failure. */
  waysOut: {
    asFormat: (format: string) => `As ${format}`,
    asFormatOf: (title: string, format: string) => `Convert ${title} as ${format}`,
    takePart: "Take a part",
    takePartOf: (title: string) => `Take a part of ${title}`,
    chooseAgain: "Choose again",
    chooseAgainOf: (title: string) => `Choose again for ${title}`,
    convertAgain: "Convert again",
    convertAgainOf: (title: string) => `Convert again: ${title}`,
    beyondPro: (span: string) => `Even Pro takes only up to ${span}.`,
  },

  batch: {
    name: (count: number) => plural(count, { one: `Batch of ${count} video`, other: `Batch of ${count} videos` }),
    list: "Conversions of this batch",
    progress: "Progress of the batch",
    cancelAll: "Cancel all",
    retryFailed: "Retry failed",
    downloadAll: "Download all",
    done: (count: number) => `${count} done`,
    failed: (count: number) => `${count} failed`,
    canceled: (count: number) => `${count} canceled`,
    working: (count: number) => `${count} working`,
    waiting: (count: number) => `${count} waiting`,
  },

  figures: {
    original: "original",
    lossless: "lossless",
    originalSound: "original sound",
    transcript: "transcript",
    percent: (percent: string) => `${percent} %`,
    secondsLeft: (seconds: string) => `${seconds} s left`,
    minutesLeft: (minutes: string) => `${minutes} min left`,
    hoursLeft: (hours: string) => `${hours} h left`,
    hoursAndMinutesLeft: (hours: string, minutes: string) => `${hours} h ${minutes} min left`,
    unknown: "Unknown",
  },

  pricing: {
    title: "Pricing",
    free: { name: "Free", remark: "no account needed" },
    pro: { name: "Pro", remark: "cancel any time" },
    perMonth: (yearly: string, saving: string) => `per month or ${yearly} per year (saves ${saving})`,
    yours: "You have this",
    upgrade: "Upgrade to Pro",
    limits: (span: string, size: string) => `up to ${span} and ${size}`,
    limitsWithBatch: (span: string, size: string, links: number) => `up to ${span} and ${size}, ${links} links at once`,
    kept: (span: string) => `files kept for ${span}`,
    keptFirstInQueue: (span: string) => `first in the queue, no ads, files kept ${span}`,
    /** In a list of what the plan makes. */
    chapterFiles: "one file per chapter",
  },

  billing: {
    manage: "Manage billing",
    paused: "Your subscription is paused: nothing is charged, and Pro is off. Write to support and it goes on.",
    updateCard: "Update card",
    contactSupport: "Contact Support",
    /** Under Pro's price and its form. */
    assurance: "Cancel anytime • No hidden fees • 30-day money back guarantee",
    plans: {
      monthly: {
        name: "Monthly",
        interval: "per month",
        choose: "Choose Monthly",
        priced: (price: string) => `Monthly, ${price} per month`,
        pay: (price: string) => `Pay ${price} per month`,
        /** How a sentence about the plan begins. */
        yours: "Your monthly plan",
      },
      yearly: {
        name: "Yearly",
        interval: "per year",
        choose: "Choose Yearly",
        priced: (price: string) => `Yearly, ${price} per year`,
        pay: (price: string) => `Pay ${price} per year`,
        yours: "Your yearly plan",
      },
    },
    mostPopular: "Most Popular",
    save: (amount: string) => `Save ${amount}`,
    features: {
      name: "Pro features",
      quality: (mp3: string, mp4: string) => `MP3 at ${mp3}, MP4 at ${mp4}`,
      /** @param list such as "original sound, FLAC, WAV" */
      otherFormats: (list: string) => `Also ${list}`,
      limits: (span: string, size: string) => `Videos up to ${span}, files up to ${size}`,
      batch: (links: number) => `Up to ${links} URLs at once`,
      kept: (span: string) => `Files kept for ${span}`,
      fast: "Fast Processing: first in the queue",
      noAds: "No ads",
    },
    /** The strip above the page. */
    strip: {
      activating: "Activating Pro…",
      confirmed: "The payment was confirmed. Pro appears here in a moment.",
      isLong:
        "This takes longer than usual. There is nothing more to pay; Pro appears by itself, here or at your next visit.",
      overdue: "Your last payment did not go through. Update your card to keep Pro.",
      overdueBy: (date: string) => `Your last payment did not go through. Update your card by ${date} to keep Pro.`,
      stopped: "Your last payment did not go through, so Pro has stopped. Update your card to get it back.",
      until: (date: string) => `Pro until ${date}.`,
      cancelled: "Your subscription is cancelled and will not renew.",
      active: "Pro is active. Thank you!",
    },
    /** Under the account's status. */
    until: (date: string) => `Until ${date}`,
    renews: (date: string) => `Renews on ${date}`,
    notices: {
      active: { title: "Payment Successful", description: "Welcome to Pro! Your subscription is now active." },
      paymentFailed: {
        title: "Payment Failed",
        description: "The payment could not be completed. Check the card and try again.",
      },
      notConfirmed: {
        title: "Payment Failed",
        description: "The payment was not confirmed, so nothing was charged. Choose a plan to try again.",
      },
      portalFailed: { title: "Error", description: "Failed to open billing" },
      subscriptionFailed: { title: "Error", description: "Failed to create subscription" },
      noSecret: { title: "Error", description: "No client secret received from server" },
    },
  },

  account: {
    tiers: { free: "Free", pro: "Pro" },
    loading: "Loading your account",
    unreachable: {
      title: "This page could not be loaded",
      text: "Nothing is lost. We keep trying.",
      retry: "Try again",
    },
    notices: {
      signOutFailed: { title: "Sign-out Failed", description: "Failed to sign out everywhere" },
      deletionFailed: { title: "Deletion Failed", description: "Failed to delete the account" },
    },
  },
};

/** The catalogue's type, which every language implements. */
export type Texts = typeof en;
