/** The dashboard's section where people make and revoke tokens for their programs. */
import { Box, Button, Flex, Skeleton, chakra } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import { Link } from "react-router";
import { MAX_TOKENS } from "../../../../common/token-calls.ts";
import type { Tier } from "../../../../common/tiers.ts";
import { tokenApi } from "../../api/token-api.ts";
import { sentenceFor } from "../../api/errors.ts";
import { Card } from "../../components/Card.tsx";
import { useTokenTexts } from "../../texts/tokens/index.ts";
import { NewToken } from "./NewToken.tsx";
import { ShownSecret } from "./ShownSecret.tsx";
import { createTokenStore } from "./token-store.ts";
import { TokenRow } from "./TokenRow.tsx";

const tokens = createTokenStore(tokenApi);

function LoadingTokens() {
  const texts = useTokenTexts();
  return (
    <Box role="status" aria-label={texts.loading} p="4">
      <Skeleton loading h="5" maxW="18rem" />
    </Box>
  );
}

function FailedTokens() {
  const texts = useTokenTexts();
  return (
    <Flex role="alert" wrap="wrap" align="center" gap="3" p="4">
      {texts.notLoaded}
      <Button size="sm" variant="outline" onClick={() => void tokens.load()}>
        {texts.retry}
      </Button>
    </Flex>
  );
}

/** What stands where a further token could be made. */
function NoMoreTokens({ tier }: { tier: Tier }) {
  const texts = useTokenTexts();
  return (
    <Flex wrap="wrap" align="center" gap="3" textStyle="meta">
      <span>{texts.full(MAX_TOKENS[tier])}</span>
      {tier === "free" && (
        <Button asChild size="sm" variant="outline">
          <Link to="/plans">{texts.upgrade}</Link>
        </Button>
      )}
    </Flex>
  );
}

function Tokens({ tier }: { tier: Tier }) {
  const { tokens: list, created, problem } = tokens.useView();
  const [isMaking, setIsMaking] = useState(false);
  const texts = useTokenTexts();
  return (
    <>
      {list.length === 0 && <Box p="4">{texts.none}</Box>}
      <chakra.ul listStyleType="none">
        {list.map((token) => (
          <TokenRow key={token.id} token={token} onRevoke={() => tokens.revoke(token.id)} />
        ))}
      </chakra.ul>
      {created && <ShownSecret key={created.id} secret={created.secret} onClose={tokens.closeCreated} />}
      <Box p="4" borderTop="1px solid {colors.border}">
        {problem !== undefined && (
          <Box role="alert" color="bad" mb="3">
            {sentenceFor(problem, texts.failed)}
          </Box>
        )}
        {isMaking ? (
          <NewToken onCreate={tokens.create} onClose={() => setIsMaking(false)} />
        ) : list.length >= MAX_TOKENS[tier] ? (
          <NoMoreTokens tier={tier} />
        ) : (
          <Button size="sm" variant="outline" onClick={() => setIsMaking(true)}>
            {texts.make}
          </Button>
        )}
      </Box>
    </>
  );
}

export function TokenSection({ tier }: { tier: Tier }) {
  const phase = tokens.useView((view) => view.phase);
  const texts = useTokenTexts();
  useEffect(() => void tokens.load(), []);
  return (
    <Box as="section" aria-labelledby="tokens-heading">
      <Box as="h2" id="tokens-heading" textStyle="heading" mt="11" mb="1.5">
        {texts.title}
      </Box>
      <Box textStyle="meta" mb="3.5">
        {texts.about}{" "}
        <chakra.a href="/api" textDecoration="underline">
          {texts.description}
        </chakra.a>
      </Box>
      <Card as="div">
        {phase === "loading" ? <LoadingTokens /> : phase === "failed" ? <FailedTokens /> : <Tokens tier={tier} />}
      </Card>
    </Box>
  );
}
