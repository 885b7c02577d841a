/** The dashboard's section where people make and revoke tokens for their programs. */
import type { CreateToken, Token } from "../../../../common/token-calls.ts";
import { TIERS, type Tier } from "../../../../common/tiers.ts";
import { tokenApi } from "../../api/token-api.ts";
import { useTokenTexts } from "../../texts/tokens/index.ts";
import { createSecretStore } from "../secrets/secret-store.ts";
import { SecretSection } from "../secrets/SecretSection.tsx";
import { NewToken } from "./NewToken.tsx";
import { TokenRow } from "./TokenRow.tsx";

const tokens = createSecretStore<Token, CreateToken>(tokenApi);

export function TokenSection({ tier }: { tier: Tier }) {
  const texts = useTokenTexts();
  return (
    <SecretSection
      id="tokens-heading"
      store={tokens}
      texts={texts}
      tier={tier}
      maximum={TIERS[tier].maxTokens}
      renderRow={(token) => <TokenRow key={token.id} token={token} onRevoke={() => tokens.remove(token.id)} />}
      renderForm={(onClose) => <NewToken onCreate={tokens.create} onClose={onClose} />}
    />
  );
}
