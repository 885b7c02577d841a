/**
 * Where a page of ours may load from and connect to. The payment provider is let in only where
 * payment is set up; on every page then, for it is one document that walks from page to page.
 */
/** What a browser needs to know to take a payment. */
export interface PaymentPage {
  readonly publishableKey: string;
  /** Loaded in place of the provider's own script; null: that one. */
  readonly scriptUrl: string | null;
}

/** What the provider's own guide on content security policies asks for. */
const PROVIDER = {
  script: ["https://js.stripe.com", "https://*.js.stripe.com"],
  frame: ["https://js.stripe.com", "https://*.js.stripe.com", "https://hooks.stripe.com"],
  connect: ["https://api.stripe.com"],
  img: ["https://*.stripe.com"],
} as const;
const NOBODY = { script: [], frame: [], connect: [], img: [] } as const;

type Sources = Readonly<Record<"script" | "frame" | "connect" | "img", readonly string[]>>;

function paymentSources(paymentPage: PaymentPage | null): Sources {
  if (paymentPage === null) return NOBODY;
  if (paymentPage.scriptUrl === null) return PROVIDER;
  const standIn = [new URL(paymentPage.scriptUrl).origin];
  return { script: standIn, frame: standIn, connect: standIn, img: [] };
}

export interface ContentPolicyParts {
  readonly paymentPage: PaymentPage | null;
  /** Hashes of the scripts that stand in the pages themselves, as sources. */
  readonly inlineScripts: readonly string[];
}

/** The directives, by their names in camel case. */
export function contentPolicy({ paymentPage, inlineScripts }: ContentPolicyParts): Record<string, string[]> {
  const payment = paymentSources(paymentPage);
  return {
    defaultSrc: ["'self'"],
    scriptSrc: ["'self'", ...inlineScripts, ...payment.script],
    manifestSrc: ["'self'"],
    workerSrc: ["'self'"],
    // Chakra writes its rules into style elements.
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", "data:", ...payment.img],
    connectSrc: ["'self'", ...payment.connect],
    frameSrc: payment.frame.length > 0 ? [...payment.frame] : ["'none'"],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
    formAction: ["'self'"],
  };
}
