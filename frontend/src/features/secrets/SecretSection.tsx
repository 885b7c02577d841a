/** A section of the dashboard with a list of things that have secrets, and a form for a new one. */
import { Box, Button, Flex, chakra } from "@chakra-ui/react";
import { useState } from "react";
import type { ReactNode } from "react";
import { useStore } from "zustand";
import type { Tier } from "../../../../common/tiers.ts";
import { Link } from "../../components/Link.tsx";
import { Problem, SecretFrame } from "./SecretFrame.tsx";
import { ShownSecret } from "./ShownSecret.tsx";
import type { SecretStore } from "./secret-store.ts";
import type { SecretTexts } from "./secret-texts.ts";

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

function Content<Item extends { readonly id: string }, Input>(props: SecretSectionProps<Item, Input>) {
  const { store, texts, tier, maximum, renderRow, renderForm } = props;
  const { items, problem } = useStore(store.view);
  const created = useStore(store.created, (state) => state.created);
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
  const about = (
    <>
      {texts.about}{" "}
      <chakra.a href="/api" textDecoration="underline">
        {texts.description}
      </chakra.a>
    </>
  );
  return (
    <SecretFrame id={id} store={store} texts={texts} about={about}>
      <Content {...props} />
    </SecretFrame>
  );
}
