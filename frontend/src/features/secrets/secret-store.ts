/** A list of things of the account whose secret is shown once: tokens, webhooks and the podcast feed. */
import { createStore } from "zustand/vanilla";
import { ApiError } from "../../api/errors.ts";

interface HasId {
  readonly id: string;
}

export interface SecretApi<Item extends HasId, Input> {
  /** @returns the list, newest first */
  list(): Promise<readonly Item[]>;
  create(input: Input): Promise<Item & { readonly secret: string }>;
  remove(id: string): Promise<unknown>;
}

export interface SecretView<Item> {
  readonly phase: "loading" | "failed" | "ready";
  /** Newest first. */
  readonly items: readonly Item[];
  /** The one that was made last, whose secret is shown until the visitor closes it. */
  readonly created: { readonly id: string; readonly secret: string } | null;
  /** The last call that failed; absent after one that succeeded. */
  readonly problem?: unknown;
}

export type SecretStore<Item extends HasId, Input> = ReturnType<typeof createSecretStore<Item, Input>>;

/** Every call keeps what is shown when it fails, with the reason as `problem`. */
export function createSecretStore<Item extends HasId, Input>(api: SecretApi<Item, Input>) {
  const store = createStore<SecretView<Item>>(() => ({ phase: "loading", items: [], created: null }));

  /** @returns whether the task succeeded */
  async function attempt(task: () => Promise<void>): Promise<boolean> {
    try {
      await task();
      store.setState({ problem: undefined });
      return true;
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof TypeError)) throw error;
      store.setState({ problem: error });
      return false;
    }
  }

  return {
    view: store,
    attempt,
    async load(): Promise<void> {
      store.setState({ phase: "loading" });
      const isLoaded = await attempt(async () => {
        const items = await api.list();
        store.setState({ items });
      });
      store.setState({ phase: isLoaded ? "ready" : "failed" });
    },
    /** Takes the place of one with the same id. @returns whether it was made */
    create: (input: Input): Promise<boolean> =>
      attempt(async () => {
        const created = await api.create(input);
        const { secret: _shownOnce, ...item } = created;
        const others = (items: readonly Item[]) => items.filter(({ id }) => id !== created.id);
        store.setState(({ items }) => ({ items: [item as unknown as Item, ...others(items)], created }));
      }),
    /** Changes what is shown of one. */
    change: (id: string, update: (item: Item) => Item): void =>
      store.setState(({ items }) => ({ items: items.map((item) => (item.id === id ? update(item) : item)) })),
    remove: (id: string): Promise<boolean> =>
      attempt(async () => {
        try {
          await api.remove(id);
        } catch (error) {
          // It was removed on another page.
          if (!(error instanceof ApiError && error.code === "not_found")) throw error;
        }
        store.setState(({ items, created }) => ({
          items: items.filter((item) => item.id !== id),
          created: created?.id === id ? null : created,
        }));
      }),
    closeCreated: (): void => store.setState({ created: null }),
  };
}
