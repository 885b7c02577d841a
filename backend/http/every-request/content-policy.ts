/**
 * The content security policy: where our pages may load from and connect to. The payment provider is allowed only if
 * payment is set up, and then on every page, because the site is one document that navigates by script.
 */

/** What the payment page in the browser needs. */
export interface PaymentPage {
  readonly publishableKey: string;
  /** Replaces the provider's script; null: the provider's script is loaded. */
  readonly scriptUrl: string | null;
}

/** From the provider's guide on content security policies. */
const PROVIDER = {
  script: ["https://js.stripe.com", "https://*.js.stripe.com"],
  frame: ["https://js.stripe.com", "https://*.js.stripe.com", "https://hooks.stripe.com"],
  connect: ["https://api.stripe.com"],
  img: ["https://*.stripe.com"],
} as const;
const NO_SOURCES = { script: [], frame: [], connect: [], img: [] } as const;

type Sources = Readonly<Record<"script" | "frame" | "connect" | "img", readonly string[]>>;

function paymentSources(paymentPage: PaymentPage | null): Sources {
  if (paymentPage === null) return NO_SOURCES;
  if (paymentPage.scriptUrl === null) return PROVIDER;
  const standIn = [new URL(paymentPage.scriptUrl).origin];
  return { script: standIn, frame: standIn, connect: standIn, img: [] };
}

export interface ContentPolicyParts {
  readonly paymentPage: PaymentPage | null;
  /** The hashes of the inline scripts of the pages, as CSP sources. */
  readonly inlineScripts: readonly string[];
}

/** What browsers could give a page and ours never asks for. Chromium reports names that it does not know as errors. */
const UNUSED_FEATURES = [
  "accelerometer",
  "camera",
  "display-capture",
  "geolocation",
  "gyroscope",
  "hid",
  "idle-detection",
  "magnetometer",
  "microphone",
  "midi",
  "screen-wake-lock",
  "serial",
  "usb",
  "xr-spatial-tracking",
];

/** @returns the value of `Permissions-Policy`; only the payment provider's frames may ask for a payment */
export function permissionsPolicy(paymentPage: PaymentPage | null): string {
  const frames = paymentSources(paymentPage).frame.map((source) => ` "${source}"`);
  const payment = frames.length === 0 ? "payment=()" : `payment=(self${frames.join("")})`;
  return [...UNUSED_FEATURES.map((feature) => `${feature}=()`), payment].join(", ");
}

/** @returns the sources of each directive, by its name in camel case */
export function contentPolicy({ paymentPage, inlineScripts }: ContentPolicyParts): Record<string, string[]> {
  const payment = paymentSources(paymentPage);
  return {
    defaultSrc: ["'self'"],
    scriptSrc: ["'self'", ...inlineScripts, ...payment.script],
    manifestSrc: ["'self'"],
    workerSrc: ["'self'"],
    // Chakra writes its styles into style elements.
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", "data:", ...payment.img],
    // Files that are played while they are made come by a MediaSource.
    mediaSrc: ["'self'", "blob:"],
    connectSrc: ["'self'", ...payment.connect],
    frameSrc: payment.frame.length > 0 ? [...payment.frame] : ["'none'"],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
    formAction: ["'self'"],
  };
}
