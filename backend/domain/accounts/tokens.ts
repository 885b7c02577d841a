/** Tokens: secrets with which programs act for an account, within scopes that its user has chosen. */
import { randomBytes, randomUUID } from "node:crypto";
import { UserError } from "../../../common/errors.ts";
import { TIERS } from "../../../common/tiers.ts";
import type { CreatedToken, CreateToken, Token } from "../../../common/token-calls.ts";
import { untilKeyIsFree } from "../database/duplicate-key.ts";
import { insertInSlot, type SlotLimit } from "../database/numbered-slots.ts";
import type { Domain } from "../domain.ts";
import { hashSecret } from "../hash-secret.ts";
import type { StoredToken } from "./token-model.ts";
import type { StoredUser } from "./user-model.ts";
import type { Viewer } from "./viewer.ts";

/** Tells people and secret scanners what the text is. */
const PREFIX = "tapedeck_";
const SECRET_BYTES = 32;
const SECRET = /^tapedeck_[\w-]{43}$/;
const ENDING_LENGTH = 4;
/** The last use is stored once in this time, not at every call. */
const USE_MS = 60_000;

/**
 * Makes a token.
 * @returns the token with its secret, which cannot be read again
 * @throws UserError sign_in_required; pro_required or conflict if the account has as many as its plan allows;
 *   unavailable_now
 */
export async function createToken(
  domain: Domain,
  userId: string,
  { name, scopes }: CreateToken,
): Promise<CreatedToken> {
  const user = await domain.users.findOne({ _id: userId, deletedAt: null }).lean<StoredUser>();
  if (!user) throw new UserError("sign_in_required");
  const secret = PREFIX + randomBytes(SECRET_BYTES).toString("base64url");
  const stored: StoredToken = {
    _id: randomUUID(),
    userId,
    name,
    scopes: [...scopes],
    hash: hashSecret(secret),
    ending: secret.slice(-ENDING_LENGTH),
    createdAt: new Date(),
    lastUsedAt: null,
  };
  await untilKeyIsFree(() => insertInSlot(domain.tokens, stored, limitOf(user)));
  return { ...presentToken(stored), secret };
}

function limitOf({ tier }: StoredUser): SlotLimit {
  return {
    most: TIERS[tier].maxTokens,
    refusal: (count) =>
      tier === "free"
        ? new UserError("pro_required", "The free plan has one token. Revoke it first, or get Pro for more.")
        : new UserError("conflict", `You have ${count} tokens already. Revoke one first.`),
  };
}

/** @returns the user's tokens, newest first */
export async function listTokens(domain: Domain, userId: string): Promise<Token[]> {
  return (await domain.tokens.find({ userId }).sort({ createdAt: -1 }).lean<StoredToken[]>()).map(presentToken);
}

/**
 * Revokes a token and closes its sockets.
 * @throws UserError not_found
 */
export async function revokeToken(domain: Domain, userId: string, id: string): Promise<void> {
  const { deletedCount } = await domain.tokens.deleteOne({ _id: id, userId });
  if (deletedCount === 0) throw new UserError("not_found", "This token does not exist any more.");
  domain.bus.publish("token:revoked", { tokenIds: [id] });
}

/** Revokes all tokens of a user. */
export async function revokeAllTokens(domain: Domain, userId: string): Promise<void> {
  const tokens = await domain.tokens.find({ userId }, { _id: 1 }).lean<{ _id: string }[]>();
  await domain.tokens.deleteMany({ userId });
  if (tokens.length > 0) domain.bus.publish("token:revoked", { tokenIds: tokens.map(({ _id }) => _id) });
}

/** @returns those of the ids whose tokens have not been revoked */
export async function validTokens(domain: Domain, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const found = await domain.tokens.find({ _id: { $in: [...ids] } }, { _id: 1 }).lean<{ _id: string }[]>();
  return new Set(found.map(({ _id }) => _id));
}

/**
 * Finds whom a secret acts for.
 * @throws UserError invalid_token; pro_required for a second token of an account that had Pro once
 */
export async function identifyByToken(domain: Domain, secret: string): Promise<Viewer> {
  const token = SECRET.test(secret)
    ? await domain.tokens.findOne({ hash: hashSecret(secret) }).lean<StoredToken>()
    : null;
  const user = token && (await domain.users.findOne({ _id: token.userId, deletedAt: null }).lean<StoredUser>());
  if (!token || !user) throw new UserError("invalid_token");
  if (user.tier === "free") await requireOldest(domain, token);
  await rememberUse(domain, token);
  const { _id: userId, email, tier } = user;
  return { deviceId: `token-${token._id}`, userId, email, tier, token: { id: token._id, scopes: token.scopes } };
}

/** A former user of Pro keeps the tokens, of which the oldest one works. */
async function requireOldest(domain: Domain, { _id, userId }: StoredToken): Promise<void> {
  const oldest = await domain.tokens.findOne({ userId }, { _id: 1 }).sort({ createdAt: 1 }).lean<{ _id: string }>();
  if (oldest && oldest._id !== _id)
    throw new UserError("pro_required", "On the free plan only your oldest token works. Revoke it, or get Pro.");
}

async function rememberUse(domain: Domain, { _id, lastUsedAt }: StoredToken): Promise<void> {
  const nowMs = Date.now();
  if (lastUsedAt !== null && nowMs - lastUsedAt.getTime() < USE_MS) return;
  await domain.tokens.updateOne({ _id }, { $set: { lastUsedAt: new Date(nowMs) } });
}

/** @returns the token without its hash */
export function presentToken({ _id, name, scopes, ending, createdAt, lastUsedAt }: StoredToken): Token {
  return {
    id: _id,
    name,
    scopes,
    ending,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}
