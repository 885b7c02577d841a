/** Figures that the help and legal pages state about the service itself. */

/** A payment is refunded without question within this time. */
export const REFUND_DAYS = 30;
/** A target, not a guarantee. */
export const UPTIME_TARGET_PERCENT = 99.9;
/** The usual duration of a conversion, shortest and longest. */
export const USUAL_CONVERSION_MINUTES = [1, 3] as const;

/** Longest time until a message of each kind is answered. */
export const ANSWER_HOURS = { technical: 4, billing: 2, general: 24 } as const;

/** The legal pages are valid from this day. */
export const LEGAL_DATE = "2025-07-25";
