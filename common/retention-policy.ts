/** How long personal data are kept, as the help and legal pages state. The retention of files is in tiers.ts. */

/** The usage log reaches back this far. The server setting has this default. */
export const USAGE_LOG_DAYS = 90;
/** A job record is deleted this long after its file. */
export const RECORD_DAYS = 30;
/** All data about a person is deleted at most this long after the account. */
export const ACCOUNT_DELETION_DAYS = 30;
