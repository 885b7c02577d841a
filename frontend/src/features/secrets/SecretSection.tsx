/** A section of the dashboard with a list of things that have secrets, and a form for a new one. */
import { Box, Button, Flex, chakra } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import { useStore } from "zustand";
import type { Tier } from "../../../../common/tiers.ts";
import { ApiError, sentenceFor } from "../../api/errors.ts";
import { Card } from "../../components/Card.tsx";
import { Link } from "../../components/Link.tsx";
import { useAccountTexts } from "../../texts/account/index.ts";
import { signInAgain } from "../account/saved-target.ts";
import { ShownSecret } from "./ShownSecret.tsx";
import type { SecretStore } from "./secret-store.ts";
import type { SecretTexts } from "./secret-texts.ts";
import { Skeleton } from "../../components/Skeleton.tsx";

interface SecretSectionProps<Item extends { readonly id: string }, Input> {
  /** Of its heading. */
  readonly id: string;
  readonly store: SecretStore<Item, Input>;
  readonly texts: SecretTexts;
  readonly tier: Tier;
  /** Most that the plan has. */
  readonly maximum: number;
  readonly renderRow: (item: Item, index: number) => ReactNode;
  readonly renderForm: (onClose: () => void) => ReactNode;
}

function Loading({ texts }: { texts: SecretTexts }) {
  return (
    <Box role="status" aria-label={texts.loading} p="4">
      <Skeleton h="5" maxW="18rem" />
    </Box>
  );
}

function NotLoaded({ texts, onRetry }: { texts: SecretTexts; onRetry: () => void }) {
  return (
    <Flex role="alert" wrap="wrap" align="center" gap="3" p="4">
      {texts.notLoaded}
      <Button size="sm" variant="outline" onClick={onRetry}>
        {texts.retry}
      </Button>
    </Flex>
  );
}

/** What stands where a further one could be made. */
function NoMore({ texts, tier, maximum }: { texts: SecretTexts; tier: Tier; maximum: number }) {
  return (
    <Flex wrap="wrap" align="center" gap="3" textStyle="meta">
      <span>{texts.full(maximum)}</span>
      {tier === "free" && (
        <Button asChild size="sm" variant="outline">
          <Link to="/plans">{texts.upgrade}</Link>
        </Button>
      )}
    </Flex>
  );
}

function Problem({ problem, texts }: { problem: unknown; texts: SecretTexts }) {
  const { signInAgain: label } = useAccountTexts();
  const needsSignIn = problem instanceof ApiError && problem.code === "fresh_sign_in_required";
  return (
    <Flex role="alert" wrap="wrap" align="center" gap="3" color="bad" mb="3">
      {sentenceFor(problem, texts.failed)}
      {needsSignIn && (
        <Button size="sm" variant="outline" onClick={() => signInAgain("/dashboard")}>
          {label}
        </Button>
      )}
    </Flex>
  );
}

function Content<Item extends { readonly id: string }, Input>(props: SecretSectionProps<Item, Input>) {
  const { store, texts, tier, maximum, renderRow, renderForm } = props;
  const { items, created, problem } = useStore(store.view);
  const [isMaking, setIsMaking] = useState(false);
  return (
    <>
      {items.length === 0 && <Box p="4">{texts.none}</Box>}
      <chakra.ul listStyleType="none">{items.map(renderRow)}</chakra.ul>
      {created && <ShownSecret key={created.id} secret={created.secret} texts={texts} onClose={store.closeCreated} />}
      <Box p="4" borderTop="1px solid {colors.border}">
        {problem !== undefined && <Problem problem={problem} texts={texts} />}
        {isMaking ? (
          renderForm(() => setIsMaking(false))
        ) : items.length >= maximum ? (
          <NoMore texts={texts} tier={tier} maximum={maximum} />
        ) : (
          <Button size="sm" variant="outline" onClick={() => setIsMaking(true)}>
            {texts.make}
          </Button>
        )}
      </Box>
    </>
  );
}

export function SecretSection<Item extends { readonly id: string }, Input>(props: SecretSectionProps<Item, Input>) {
  const { id, store, texts } = props;
  const phase = useStore(store.view, (view) => view.phase);
  useEffect(() => void store.load(), [store]);
  return (
    <Box as="section" aria-labelledby={id}>
      <Box as="h2" id={id} textStyle="heading" mt="11" mb="1.5">
        {texts.title}
      </Box>
      <Box textStyle="meta" mb="3.5">
        {texts.about}{" "}
        <chakra.a href="/api" textDecoration="underline">
          {texts.description}
        </chakra.a>
      </Box>
      <Card as="div">
        {phase === "loading" ? (
          <Loading texts={texts} />
        ) : phase === "failed" ? (
          <NotLoaded texts={texts} onRetry={() => void store.load()} />
        ) : (
          <Content {...props} />
        )}
      </Card>
    </Box>
  );
}
