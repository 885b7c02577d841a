/** What the help and legal pages promise in figures; what follows from a tier is in tiers.ts. */

/** The log of usage goes back this far; the server's setting starts from the same figure. */
export const USAGE_LOG_DAYS = 90;
/** What is stored about a person is gone this long after the account was deleted. */
export const ACCOUNT_DELETION_DAYS = 30;
/** Within this time of a payment the money is given back without a question. */
export const REFUND_DAYS = 30;
/** What the service aims at; no guarantee. */
export const UPTIME_TARGET_PERCENT = 99.9;
/** How long a conversion usually takes, from and to. */
export const USUAL_CONVERSION_MINUTES = [1, 3] as const;

/** How soon each kind of message is answered. */
export const ANSWER_HOURS = { technical: 4, billing: 2, general: 24 } as const;

export const SUPPORT_EMAIL = "support@tapedeck.example";
/** Where holders of rights write to. */
export const TAKEDOWN_EMAIL = "takedown@tapedeck.example";
/** The day from which the legal pages hold. */
export const LEGAL_DATE = "2025-07-25";
