/** How long personal data are kept, as the help and legal pages state. The retention of files is in tiers.ts. */

/** The usage log reaches back this far. The server setting has this default. */
export const USAGE_LOG_DAYS = 90;
/** A job record is deleted this long after its file. */
export const RECORD_DAYS = 30;
/** All data about a person is deleted at most this long after the account. */
export const ACCOUNT_DELETION_DAYS = 30;
/** `npm run backup` removes its backups at this age. */
export const BACKUP_DAYS = 30;
/**
 * The id of a deleted account is remembered this long, so that no backup brings the account back. Operators may keep
 * copies of backups longer than {@link BACKUP_DAYS}; one that is older than this cannot be restored.
 */
export const TOMBSTONE_DAYS = 400;
/** The log of the block list names what operators blocked and why, for as long as somebody may ask about it. */
export const BLOCK_LOG_DAYS = 730;
/** Messages to webhooks are in their log for this long; their text only until they are delivered or given up. */
export const WEBHOOK_LOG_DAYS = 7;
/** The log of what operators did, for as long as the person it was about may ask. */
export const OPERATOR_LOG_DAYS = 365;
