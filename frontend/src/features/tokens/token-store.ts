/** The tokens of the account as the dashboard shows them. */
import { create } from "zustand";
import type { CreatedToken, CreateToken, Token } from "../../../../common/token-calls.ts";
import { ApiError } from "../../api/errors.ts";
import type { TokenApi } from "../../api/token-api.ts";

export interface TokenView {
  readonly phase: "loading" | "failed" | "ready";
  /** Newest first. */
  readonly tokens: readonly Token[];
  /** The token that was made last, whose secret is shown until the visitor closes it. */
  readonly created: CreatedToken | null;
  /** The last call that failed; absent after one that succeeded. */
  readonly problem?: unknown;
}

/** Every call keeps what is shown when it fails, with the reason as `problem`. */
export function createTokenStore(api: TokenApi) {
  const store = create<TokenView>(() => ({ phase: "loading", tokens: [], created: null }));

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
    useView: store,
    async load(): Promise<void> {
      store.setState({ phase: "loading" });
      const isLoaded = await attempt(async () => {
        const { tokens } = await api.list();
        store.setState({ tokens });
      });
      store.setState({ phase: isLoaded ? "ready" : "failed" });
    },
    /** @returns whether the token was made */
    create: (input: CreateToken): Promise<boolean> =>
      attempt(async () => {
        const created = await api.create(input);
        const { secret: _shownOnce, ...token } = created;
        store.setState(({ tokens }) => ({ tokens: [token, ...tokens], created }));
      }),
    revoke: (id: string): Promise<boolean> =>
      attempt(async () => {
        try {
          await api.revoke(id);
        } catch (error) {
          // It was revoked on another page.
          if (!(error instanceof ApiError && error.code === "not_found")) throw error;
        }
        store.setState(({ tokens, created }) => ({
          tokens: tokens.filter((token) => token.id !== id),
          created: created?.id === id ? null : created,
        }));
      }),
    closeCreated: (): void => store.setState({ created: null }),
  };
}
