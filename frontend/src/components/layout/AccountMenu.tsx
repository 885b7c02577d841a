import { Box, chakra } from "@chakra-ui/react";
import type { Tier } from "../../../../common/tiers.ts";
import { useUser } from "../../client/stores.ts";
import { nameOf } from "../../stores/user.ts";
import { useTexts } from "../../texts/store.ts";
import { PanelButton } from "../PanelButton.tsx";
import { AccountItems } from "./NavMenu.tsx";
import { WIDE_BAR } from "./wide-bar.ts";

const Initials = chakra("span", {
  base: {
    display: "grid",
    placeItems: "center",
    boxSize: "2.25rem",
    borderRadius: "full",
    bg: "accent.soft",
    color: "accent.text",
    fontSize: "sm",
    fontWeight: 700,
    textTransform: "uppercase",
  },
});

/** @returns the first letters of up to two words: "AL" for "Ada Lovelace", "A" for "ada@example.org" */
export function initialsOf(name: string): string {
  const words = name.replace(/@.*/, "").split(/[\s._-]+/);
  return words
    .flatMap((word) => Array.from(word).slice(0, 1))
    .slice(0, 2)
    .join("");
}

/** Initials of a signed-in user, with the ways to the account. Narrower bars have them in their menu. */
export function AccountMenu({ tier }: { readonly tier: Tier }) {
  const user = useUser((state) => state.user);
  const { account } = useTexts().nav;
  return (
    <PanelButton
      face={<Initials aria-hidden="true">{user && initialsOf(nameOf(user))}</Initials>}
      name={account}
      isNavigation
      // As a flex item the button stays where it is when its letters come.
      css={{ display: "none", [WIDE_BAR]: { display: "flex" } }}
      variant="ghost"
      px="0"
      aria-label={account}
    >
      {(close) => (
        <>
          <Box px="3" pt="2" pb="1" textStyle="meta" overflowWrap="anywhere">
            {user?.email}
          </Box>
          <Box onClick={close}>
            <AccountItems tier={tier} />
          </Box>
        </>
      )}
    </PanelButton>
  );
}
