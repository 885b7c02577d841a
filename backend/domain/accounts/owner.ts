/** The user for whom the server goes on with something, as the viewer who asked for it. */
import type { Call } from "../call.ts";
import type { Domain } from "../domain.ts";
import { UserError } from "../../../common/errors.ts";
import type { StoredUser } from "./user-model.ts";
import type { Viewer } from "./viewer.ts";

interface Owned {
  readonly deviceId: string;
  readonly userId: string;
  readonly call?: Call;
}

/** @returns null when the account was deleted, or is blocked */
export async function findOwner(domain: Domain, { deviceId, userId, call }: Owned): Promise<Viewer | null> {
  const user = await domain.users.findOne({ _id: userId, deletedAt: null }).lean<StoredUser>();
  if (!user) return null;
  const viewer: Viewer = {
    deviceId,
    userId,
    email: user.email,
    tier: user.tier,
    ...(call === undefined ? {} : { call }),
  };
  try {
    domain.blocks.requireViewer(viewer);
    return viewer;
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}
