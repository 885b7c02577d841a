/** What operators do. Knows nothing of HTTP. Every act is logged, also one that fails. */
import { UserError } from "../../../common/errors.ts";
import type { OperatorAct } from "../../../common/operator-calls.ts";
import { deleteAccount } from "../accounts/delete-account.ts";
import { changeTier } from "../accounts/tier-sources.ts";
import type { Viewer } from "../accounts/viewer.ts";
import type { Billing } from "../billing/billing.ts";
import { askProvider } from "../billing/provider/stripe-client.ts";
import { readBack } from "../billing/read-back/read-back.ts";
import { addBlock, removeBlock } from "../blocks/change-blocks.ts";
import { BlockValueError, parseBlockValue, type ParseContext } from "../blocks/parse-value.ts";
import type { Call } from "../call.ts";
import type { Domain } from "../domain.ts";
import { findJob } from "../jobs/find-jobs.ts";
import { cancelJob } from "../jobs/end-jobs.ts";
import { retryJob } from "../jobs/retry-jobs.ts";
import { orderDrain } from "./drain.ts";
import { setIntake } from "./intake.ts";
import { logged } from "./operator-log.ts";

export interface Operator {
  readonly userId: string;
  /** The call by which the operator asks. */
  readonly call?: Call | undefined;
}

export interface ActParts {
  /** For the values of the block list. */
  readonly blockContext: ParseContext;
  readonly billing: Billing;
}

/**
 * Carries out an act and logs it.
 * @param by the operator
 * @throws UserError bad_request, not_found, conflict, and what the act itself throws
 */
export async function performAct(
  domain: Domain,
  by: Operator,
  asked: OperatorAct,
  { blockContext, billing }: ActParts,
): Promise<void> {
  const act = withStoredValue(asked, blockContext);
  const entry = { by: by.userId, act: act.act, on: subjectOf(act) };
  await logged(domain.operatorRecords, entry, () => carryOut(domain, billing, by, act));
}

function carryOut(
  domain: Domain,
  billing: Billing,
  { userId: by, call }: Operator,
  act: OperatorAct,
): Promise<unknown> {
  switch (act.act) {
    case "pause":
    case "resume":
      return setIntake(domain, act.act === "pause", by);
    case "drain_worker":
    case "resume_worker":
      return orderDrain(domain, act.processId, act.act === "drain_worker");
    case "retry_job":
      return withOwner(domain, act.jobId, (owner) =>
        retryJob(domain, call === undefined ? owner : { ...owner, call }, act.jobId),
      );
    case "cancel_job":
      return withOwner(domain, act.jobId, async (owner) => {
        if (!(await cancelJob(domain, owner, act.jobId))) throw new UserError("conflict");
      });
    case "block": {
      const { kind, value, reason, until } = act;
      return addBlock(domain, { kind, value, reason, by, until: until ? new Date(until) : undefined });
    }
    case "unblock":
      return removeBlock(domain, { kind: act.kind, value: act.value, by });
    case "read_back":
      return readBackNow(billing, act.userId);
    case "grant_pro":
    case "revoke_pro":
      return changeGrant(domain, act.userId, act.act === "grant_pro");
    case "delete_account":
      return withAccount(domain, act.userId, () => deleteAccount(domain, act.userId));
  }
}

/** @returns the act with the value of a block as the list stores it */
function withStoredValue(act: OperatorAct, context: ParseContext): OperatorAct {
  if (act.act !== "block" && act.act !== "unblock") return act;
  if (act.act === "block" && act.until !== undefined && Date.parse(act.until) <= Date.now())
    throw new UserError("bad_request", "The end of a block must lie in the future.");
  try {
    return { ...act, value: parseBlockValue(act.kind, act.value, context) };
  } catch (error) {
    if (error instanceof BlockValueError) throw new UserError("bad_request", error.message);
    throw error;
  }
}

/** The log outlives accounts, so it has no email address of a blocked user. */
function subjectOf(act: OperatorAct): string {
  if ("jobId" in act) return act.jobId;
  if ("userId" in act) return act.userId;
  if ("processId" in act) return act.processId;
  if (!("kind" in act)) return "";
  return act.value.includes("@") && act.kind === "user" ? act.kind : `${act.kind} ${act.value}`;
}

/** Acts as the job's owner would, with the owner's limits. */
async function withOwner(domain: Domain, jobId: string, act: (owner: Viewer) => Promise<unknown>): Promise<void> {
  const job = await findJob(domain, { _id: jobId, deletedAt: null });
  if (!job) throw new UserError("not_found", "There is no job with this id.");
  const { deviceId, userId, tier } = job;
  await act({ deviceId, userId, tier });
}

async function withAccount(domain: Domain, userId: string, act: () => Promise<unknown>): Promise<void> {
  if ((await domain.users.exists({ _id: userId, deletedAt: null })) === null)
    throw new UserError("not_found", "There is no account with this id.");
  await act();
}

/** @throws UserError not_found, payment_unconfigured, payment_provider */
async function readBackNow(billing: Billing, userId: string): Promise<void> {
  if ((await billing.accounts.exists({ _id: userId })) === null)
    throw new UserError("not_found", "This account is not known to the payment provider.");
  await askProvider(() => readBack(billing, userId));
}

/** By id, because several accounts may have one address. */
async function changeGrant(domain: Domain, userId: string, isGranted: boolean): Promise<void> {
  const { accounts } = await changeTier(domain, userId, isGranted ? "pro" : "free");
  if (accounts === 0) throw new UserError("not_found", "There is no account with this id.");
}
