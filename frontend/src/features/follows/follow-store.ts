/** What the account follows, as its page shows it. */
import type { ChangeFollow, CreateFollow, Follow } from "../../../../common/follows.ts";
import { followApi } from "../../api/follow-api.ts";
import { createItemStore } from "../secrets/item-store.ts";

export const follows = createItemStore<Follow>(followApi);

/** @returns whether the list is followed now */
export const follow = (input: Partial<CreateFollow> & Pick<CreateFollow, "url">): Promise<boolean> =>
  follows.attempt(async () => follows.add(await followApi.create(input)));

export const changeFollow = (id: string, change: ChangeFollow): Promise<boolean> =>
  follows.attempt(async () => {
    const changed = await followApi.change(id, change);
    follows.change(id, () => changed);
  });
