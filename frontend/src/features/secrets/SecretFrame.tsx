/** A section of the dashboard about things of the account that have secrets, with what it shows before they are there. */
import { Box, Button, Flex } from "@chakra-ui/react";
import { useEffect } from "react";
import type { ReactNode } from "react";
import { useStore } from "zustand";
import { ApiError, sentenceFor } from "../../api/errors.ts";
import { Card } from "../../components/Card.tsx";
import { Skeleton } from "../../components/Skeleton.tsx";
import { useAccountTexts } from "../../texts/account/index.ts";
import { signInAgain } from "../account/saved-target.ts";
import type { SecretStore } from "./secret-store.ts";
import type { SecretTexts } from "./secret-texts.ts";

type FrameTexts = Pick<SecretTexts, "title" | "loading" | "notLoaded" | "retry">;

interface FrameProps<Item extends { readonly id: string }, Input> {
  /** Of its heading. */
  readonly id: string;
  readonly store: SecretStore<Item, Input>;
  readonly texts: FrameTexts;
  /** What they are for. */
  readonly about: ReactNode;
  /** What is shown once they are loaded. */
  readonly children: ReactNode;
}

function Loading({ texts }: { texts: FrameTexts }) {
  return (
    <Box role="status" aria-label={texts.loading} p="4">
      <Skeleton h="5" maxW="18rem" />
    </Box>
  );
}

function NotLoaded({ texts, onRetry }: { texts: FrameTexts; onRetry: () => void }) {
  return (
    <Flex role="alert" wrap="wrap" align="center" gap="3" p="4">
      {texts.notLoaded}
      <Button size="sm" variant="outline" onClick={onRetry}>
        {texts.retry}
      </Button>
    </Flex>
  );
}

/** Says why the last call failed. */
export function Problem({ problem, texts }: { problem: unknown; texts: Pick<SecretTexts, "failed"> }) {
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

export function SecretFrame<Item extends { readonly id: string }, Input>(props: FrameProps<Item, Input>) {
  const { id, store, texts, about, children } = props;
  const phase = useStore(store.view, (view) => view.phase);
  useEffect(() => void store.load(), [store]);
  return (
    <Box as="section" aria-labelledby={id}>
      <Box as="h2" id={id} textStyle="heading" mt="11" mb="1.5">
        {texts.title}
      </Box>
      <Box textStyle="meta" mb="3.5">
        {about}
      </Box>
      <Card as="div">
        {phase === "loading" ? (
          <Loading texts={texts} />
        ) : phase === "failed" ? (
          <NotLoaded texts={texts} onRetry={() => void store.load()} />
        ) : (
          children
        )}
      </Card>
    </Box>
  );
}
