/** What the operator's page sends. */
import { z } from "zod";
import { BlockKind } from "./block-kinds.ts";
import { Tier } from "./tiers.ts";

/** The phrase that an operator types to confirm the deletion of somebody's account. */
export const DELETE_FOR_SOMEBODY_PHRASE = "delete this account";

/** No email address: the log keeps what an act is on for a year, longer than accounts. */
const Id = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^[^@]+$/);
/** Begins with the name of a host, which may have 253 characters. */
const ProcessId = z.string().trim().min(1).max(400);
const Reason = z.string().trim().min(1).max(500);

/** POST /api/operator/acts. */
export const OperatorAct = z.discriminatedUnion("act", [
  /** Workers take no new jobs; running ones go on. */
  z.object({ act: z.literal("pause") }),
  z.object({ act: z.literal("resume") }),
  /** The same for one worker, by the id of its process, until it is resumed or ends. */
  z.object({ act: z.literal("drain_worker"), processId: ProcessId }),
  z.object({ act: z.literal("resume_worker"), processId: ProcessId }),
  z.object({ act: z.literal("retry_job"), jobId: Id }),
  z.object({ act: z.literal("cancel_job"), jobId: Id }),
  /** Blocking a host, video or channel also deletes its stored copies. */
  z.object({
    act: z.literal("block"),
    kind: BlockKind,
    value: z.string().trim().min(1).max(2_048),
    reason: Reason,
    until: z.iso.datetime().optional(),
  }),
  z.object({ act: z.literal("unblock"), kind: BlockKind, value: z.string().trim().min(1).max(2_048) }),
  /** Ask the payment provider now what it says of this account, and take it over. */
  z.object({ act: z.literal("read_back"), userId: Id }),
  z.object({ act: z.literal("grant_pro"), userId: Id }),
  z.object({ act: z.literal("revoke_pro"), userId: Id }),
  z.object({
    act: z.literal("delete_account"),
    userId: Id,
    confirmation: z.literal(DELETE_FOR_SOMEBODY_PHRASE),
  }),
]);
export type OperatorAct = z.infer<typeof OperatorAct>;

/** POST /api/operator/accounts. In a body, because the address must not stand in logs of requests. */
export const FindAccounts = z.object({ email: z.string().trim().min(3).max(320) });
export type FindAccounts = z.infer<typeof FindAccounts>;

export const FoundAccount = z.object({
  id: z.string(),
  email: z.string(),
  isEmailVerified: z.boolean(),
  createdAt: z.iso.datetime(),
  tier: Tier,
  /** Pro was granted by an operator. */
  isGranted: z.boolean(),
  jobs: z.number(),
  sessions: z.number(),
});
export type FoundAccount = z.infer<typeof FoundAccount>;

/** Several people may have signed in with one address, through different accounts of the identity provider. */
export const FoundAccounts = z.object({ accounts: z.array(FoundAccount) });
export type FoundAccounts = z.infer<typeof FoundAccounts>;
