/**
 * All texts of the pages in English; the other languages have the same keys.
 * Functions receive formatted figures, or a plain number where the plural form depends on it.
 */
import { SENTENCES } from "../../../common/errors.ts";
import type { ErrorCode } from "../../../common/errors.ts";
import { pluralIn } from "./plural.ts";

const plural = pluralIn("en");

/** Sentences for all error codes. The type is complete, so that the compiler reports a missing translation. */
const errors: Readonly<Record<ErrorCode, string>> = SENTENCES;

export const en = {
  errors,

  /** Of the browser's tab, before the product's name. */
  titles: {
    login: "Pro User Login",
    dashboard: "Dashboard",
    pro: "Pro",
    notFound: "404 Page Not Found",
    help: "Help",
    contact: "Contact",
    privacy: "Privacy Policy",
    terms: "Terms of Service",
    plans: "Plans",
    subscribe: "Upgrade to Pro",
  },

  /** What search engines and shared links show of a page. */
  descriptions: {
    home: "Paste a video link and get an MP3 or an MP4, with the work shown live. No account needed.",
    login: "Sign in to Tapedeck Pro: better quality, longer videos, twenty links at once, and no ads.",
    plans:
      "Tapedeck Pro by the month or by the year: better quality, longer videos, twenty links at once, and no ads. Cancel anytime.",
  },

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
  },

  notFound: {
    title: "404 Page Not Found",
    text: "There is no tape in this deck. The converter is where you left it.",
    back: "Back to the converter",
  },

  login: {
    title: "Pro User Login",
    text: "You sign in with our sign-in service. There is no password to type here.",
    notSetUp: "Sign-in is not set up on this server.",
    password: "Password",
    passwordHint: "Not needed here",
    signIn: "Sign in as Pro User",
    signingIn: "Signing in...",
    back: "Back to Home",
    errors: {
      unavailable: "The sign-in service cannot be reached at the moment. Try again in a few minutes.",
      refused: "The sign-in was refused or called off. Try again if that was not your intention.",
      expired: "The sign-in took too long. Start again, and it will go through.",
      invalid: "The answer of the sign-in service could not be trusted, so nobody was signed in. Try again.",
      rate_limited: "Too many sign-ins in a short time. Wait a minute and try again.",
    },
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
    found: (found: number, most: number) => `${found} of ${most}`,
    pasted: (count: number) => `You pasted ${count} links.`,
    isBatchNow: "Each is a line of this batch now.",
    firstKept: (count: number, most: number) =>
      `The first of ${count} links is in the field. Pro takes up to ${most} at once.`,
    dropHere: "Drop the link here",
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
    refusedLines: "Refused lines",
    refused: (count: number) =>
      plural(count, { one: "One line was not started", other: `${count} lines were not started` }),
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
      nothingPasted: { title: "Nothing Pasted", description: "Press Ctrl+V (⌘V on a Mac) to paste the link." },
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
    loading: "Loading your conversions",
    unreachable: {
      title: "Your conversions could not be loaded",
      text: "They are safe at the server. We keep trying.",
      retry: "Try again",
    },
    notify: {
      label: "Notify me when a conversion ends",
      blocked: "The browser does not let this site notify. Its settings for the site can change that.",
    },
    announce: {
      started: (title: string) => `${title} has started.`,
      quarter: (title: string, percent: string) => `${title}: ${percent}.`,
      ended: (title: string, outcome: string) => `${title} has ended: ${outcome}.`,
      ready: (title: string) => `${title} is ready to download.`,
      failed: (title: string, reason: string) => `${title} failed. ${reason}`,
    },
  },

  network: {
    offline: "Offline",
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
    failed: "Failed",
    canceled: "Canceled",
    expired: "Expired",
    expires: (when: string) => `expires ${when}`,
    resumes: (when: string) => `The video site asks us to wait; continues ${when}`,
    attempt: (attempt: number) => `attempt ${attempt}`,
    stages: { download: "Downloading", convert: "Converting", store: "Saving" },
    progress: (title: string) => `Progress of ${title}`,
    download: "Download",
    downloadOf: (title: string) => `Download ${title}`,
    cancel: "Cancel",
    cancelOf: (title: string) => `Cancel ${title}`,
    remove: "Remove",
    removeOf: (title: string) => `Remove ${title}`,
    retry: "Retry",
    retryOf: (title: string) => `Retry ${title}`,
    notices: {
      cancelFailed: { title: "Cancel Failed", description: "Failed to cancel conversion" },
      removeFailed: { title: "Remove Failed", description: "Failed to remove conversion" },
      retryFailed: { title: "Retry Failed", description: "Failed to retry conversion" },
    },
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
    perMonth: (yearly: string, saving: string) => `a month, or ${yearly} a year (save ${saving})`,
    yours: "You have this",
    upgrade: "Upgrade to Pro",
    qualities: (mp3: string, mp4: string) => `${mp3}, ${mp4}`,
    limits: (span: string, size: string) => `up to ${span} and ${size}`,
    limitsWithBatch: (span: string, size: string, links: number) => `up to ${span} and ${size}, ${links} links at once`,
    kept: (span: string) => `files kept for ${span}`,
    keptFirstInQueue: (span: string) => `first in the queue, no ads, files kept ${span}`,
  },

  billing: {
    manage: "Manage billing",
    paused: "Your subscription is paused: nothing is charged, and Pro is off. Write to support and it goes on.",
    updateCard: "Update card",
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
    saveShare: (amount: string, share: string) => `Save ${amount} (${share})`,
    features: {
      name: "Pro features",
      quality: (mp3: string, mp4: string) => `MP3 at ${mp3}, MP4 at ${mp4}`,
      limits: (span: string, size: string) => `Videos up to ${span}, files up to ${size}`,
      batch: (links: number) => `Up to ${links} URLs at once`,
      kept: (span: string) => `Files kept for ${span}`,
      fast: "Fast Processing: first in the queue",
      noAds: "No ads",
    },
    choice: {
      title: "Choose your plan.",
      lead: (percent: string) => `The same Pro either way; a year at once costs ${percent} less.`,
      titleForPro: "You have Pro.",
      leadForPro: "Everything below is yours already.",
      switch: "Switch under Manage billing",
      owned: "You have Pro",
      limits: {
        title: "Higher limits",
        text: (span: string, size: string, links: number) =>
          `Videos up to ${span} and files up to ${size}, ${links} links at once.`,
      },
      quality: {
        title: "Premium quality",
        text: (mp3: string, mp4: string) => `MP3 at ${mp3} and MP4 in ${mp4}, first in the queue.`,
      },
      noAds: {
        title: "Ad-free",
        text: (span: string) => `No promotions anywhere, and files wait for you for ${span}.`,
      },
    },
    subscribe: {
      title: "Upgrade to Pro",
      plan: "Plan",
      payment: "Payment",
      form: "Card payment",
      loadingForm: "Loading the card form",
      unloadable: {
        title: "The card form could not be loaded",
        text: "Check your connection, and whether something in your browser blocks payment pages. Nothing was charged.",
        retry: "Try again",
      },
      processing: "Processing...",
      saveCard: "Save card and start Pro",
    },
    states: {
      settingUp: "Setting up your subscription...",
      back: "Back to the converter",
      unconfigured: {
        title: "Payment system configuration error",
        text: "Payments are not set up on this server, so nothing can be bought and nothing was charged. Everything else works. Please tell our support.",
        contact: "Contact Support",
      },
      noSecret: {
        title: "Failed to initialize payment. Please try again.",
        text: "Nothing was charged.",
        back: "Go Back",
      },
      activating: {
        title: "Your payment was confirmed",
        text: "Pro is being activated and appears by itself. There is nothing more to pay.",
        go: "Go to the converter",
      },
      hasPro: "You already have Pro",
      hasSubscription: "You already have a subscription",
      nothingToPay: "Nothing more to pay",
      granted: "It was given to your account, so there is nothing to pay.",
      overdue: (plan: string) =>
        `${plan} waits for a payment that did not go through. Update your card under Manage billing.`,
      ends: (plan: string, date: string) =>
        `${plan} is cancelled and lasts until ${date}. Card, invoices and cancelling are behind Manage billing.`,
      renews: (plan: string, date: string) =>
        `${plan} renews on ${date}. Card, invoices and cancelling are behind Manage billing.`,
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
    welcome: (name: string) => `Welcome, ${name}`,
    converter: "Converter",
    logout: "Logout",
    totalConversions: "Total Conversions",
    dataUsed: "Data Used",
    thisMonth: "This month",
    status: "Account Status",
    tiers: { free: "Free", pro: "Pro" },
    recent: "Recent conversions",
    none: "No conversions yet",
    start: "Start Converting",
    badges: {
      waiting: "waiting",
      processing: "processing",
      completed: "completed",
      failed: "failed",
      canceled: "canceled",
    },
    title: "Account",
    export: "Export my data",
    signOutEverywhere: "Sign out everywhere",
    delete: "Delete account",
    /** Around the phrase that is to be typed. */
    deleteEndsSubscription:
      "Your subscription ends at once: nothing more is charged, and Pro is not kept for the rest of the paid period.",
    deleteExplained: {
      before: "Your files go at once, your sign-ins end, and what is stored about you is removed within 30 days. Type",
      after: "to confirm.",
    },
    deleteForGood: "Delete my account",
    keep: "Keep it",
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

  pro: {
    member: "Pro Member",
    features: "Pro Features",
    everything: "Everything",
    unlimited: "Unlimited conversions",
    batchOf: (links: number) => `Batch of ${links} URLs`,
    hd: (mp4: string, mp3: string) => `HD ${mp4}/${mp3}`,
    storage: (days: number) => `${days}-day storage`,
    fileLimit: (megabytes: number) => `${megabytes}MB file limit`,
    monthlyLimit: (megabytes: number) => `${megabytes}MB monthly limit`,
    completed: (count: number) => `${count} completed`,
    active: (count: number) => `${count} processing or pending`,
    dataUsage: "Data Usage",
  },
};

/** The catalogue's type, which every language implements. */
export type Texts = typeof en;
