/** Schemas of the calls about tokens, with which programs act for an account. */
import { z } from "zod";

/** What a token lets its holder do: read jobs and account, make and change jobs, download files. */
export const TokenScope = z.enum(["read", "convert", "download"]);
export type TokenScope = z.infer<typeof TokenScope>;

export const MAX_TOKEN_NAME = 60;

/** POST /api/tokens. */
export const CreateToken = z.object({
  name: z.string().trim().min(1).max(MAX_TOKEN_NAME),
  scopes: z
    .array(TokenScope)
    .min(1)
    .max(TokenScope.options.length)
    .refine((scopes) => new Set(scopes).size === scopes.length)
    .meta({ uniqueItems: true }),
});
export type CreateToken = z.infer<typeof CreateToken>;

/** A token without its secret. */
export const Token = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(TokenScope),
  /** The last characters of the secret, to tell tokens apart. */
  ending: z.string(),
  createdAt: z.iso.datetime(),
  /** To the minute; null before the first use. */
  lastUsedAt: z.iso.datetime().nullable(),
});
export type Token = z.infer<typeof Token>;

/** Response of GET /api/tokens, newest first. */
export const TokenList = z.object({ tokens: z.array(Token) });
export type TokenList = z.infer<typeof TokenList>;

/** Response of POST /api/tokens: the only answer with the secret. */
export const CreatedToken = Token.extend({ secret: z.string() });
export type CreatedToken = z.infer<typeof CreatedToken>;
