/** A list of things of the account whose secret is shown once: tokens, webhooks and the podcast feed. */
import { createStore } from "zustand/vanilla";
import { createItemStore, type HasId, type ItemApi } from "./item-store.ts";

export interface SecretApi<Item extends HasId, Input> extends ItemApi<Item> {
  create(input: Input): Promise<Item & { readonly secret: string }>;
}

/** The one that was made last, whose secret is shown until the visitor closes it. */
export type CreatedSecret = { readonly id: string; readonly secret: string } | null;

export type SecretStore<Item extends HasId, Input> = ReturnType<typeof createSecretStore<Item, Input>>;

export function createSecretStore<Item extends HasId, Input>(api: SecretApi<Item, Input>) {
  const items = createItemStore(api);
  const created = createStore<{ readonly created: CreatedSecret }>(() => ({ created: null }));
  const closeCreated = (): void => created.setState({ created: null });

  return {
    ...items,
    created,
    /** @returns whether it was made */
    create: (input: Input): Promise<boolean> =>
      items.attempt(async () => {
        const made = await api.create(input);
        const { secret: _shownOnce, ...item } = made;
        items.add(item as unknown as Item);
        created.setState({ created: made });
      }),
    async remove(id: string): Promise<boolean> {
      const isRemoved = await items.remove(id);
      if (isRemoved && created.getState().created?.id === id) closeCreated();
      return isRemoved;
    },
    closeCreated,
  };
}
