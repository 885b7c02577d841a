/** A list of things of the account, each of which can be removed. */
import { createStore } from "zustand/vanilla";
import { ApiError, isFailedCall } from "../../api/errors.ts";

export interface HasId {
  readonly id: string;
}

export interface ItemApi<Item extends HasId> {
  /** @returns the list, newest first */
  list(): Promise<readonly Item[]>;
  remove(id: string): Promise<unknown>;
}

export interface ItemView<Item> {
  readonly phase: "loading" | "failed" | "ready";
  /** Newest first. */
  readonly items: readonly Item[];
  /** The last call that failed; absent after one that succeeded. */
  readonly problem?: unknown;
}

/** Every call keeps what is shown when it fails, with the reason as `problem`. */
export function createItemStore<Item extends HasId>(api: ItemApi<Item>) {
  const store = createStore<ItemView<Item>>(() => ({ phase: "loading", items: [] }));

  /** @returns whether the task succeeded */
  async function attempt(task: () => Promise<void>): Promise<boolean> {
    try {
      await task();
      store.setState({ problem: undefined });
      return true;
    } catch (error) {
      if (!isFailedCall(error)) throw error;
      store.setState({ problem: error });
      return false;
    }
  }

  const read = (): Promise<boolean> =>
    attempt(async () => {
      const items = await api.list();
      store.setState({ items });
    });

  return {
    view: store,
    attempt,
    /** Reads the list, and says so. */
    async load(): Promise<void> {
      store.setState({ phase: "loading" });
      store.setState({ phase: (await read()) ? "ready" : "failed" });
    },
    /** Reads the list again while it is shown. */
    read,
    /** Puts one in front, instead of one with the same id. */
    add: (item: Item): void =>
      store.setState(({ items }) => ({ items: [item, ...items.filter(({ id }) => id !== item.id)] })),
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
        store.setState(({ items }) => ({ items: items.filter((item) => item.id !== id) }));
      }),
  };
}
