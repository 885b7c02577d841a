import { Box } from "@chakra-ui/react";
import type { Tier } from "../../../../common/tiers.ts";
import { useTexts } from "../../texts/store.ts";
import { Link } from "../Link.tsx";
import { MenuIcon } from "../icons.tsx";
import { PanelButton, PanelItem } from "../PanelButton.tsx";
import { SectionLink } from "./SectionLink.tsx";
import { WIDE_BAR } from "./wide-bar.ts";
import { TierBadge } from "./TierBadge.tsx";

export interface NavMenuProps {
  readonly tier: Tier;
  readonly isSignedIn: boolean;
}

/** The links of a signed-in user. */
export function AccountItems({ tier }: Pick<NavMenuProps, "tier">) {
  const texts = useTexts().nav;
  return (
    <>
      {tier === "pro" && (
        <PanelItem asChild>
          <Link to="/pro">{texts.proPage}</Link>
        </PanelItem>
      )}
      <PanelItem asChild>
        <Link to="/dashboard">{texts.dashboard}</Link>
      </PanelItem>
      <PanelItem asChild>
        <a href="/api/logout">{texts.logout}</a>
      </PanelItem>
    </>
  );
}

/** The links of the menu, for the visitor. */
function Items({ tier, isSignedIn }: NavMenuProps) {
  const texts = useTexts().nav;
  return (
    <>
      <PanelItem asChild>
        <SectionLink anchor="#converter">{texts.converter}</SectionLink>
      </PanelItem>
      <PanelItem asChild>
        <SectionLink anchor="#pricing">{texts.pricing}</SectionLink>
      </PanelItem>
      {isSignedIn ? (
        <AccountItems tier={tier} />
      ) : (
        <PanelItem asChild>
          <Link to="/login">{texts.login}</Link>
        </PanelItem>
      )}
      {tier === "free" && (
        <PanelItem asChild>
          <Link to="/plans">{texts.upgrade}</Link>
        </PanelItem>
      )}
    </>
  );
}

/** The menu of the top bar: tier, sections and account, where the bar has no room for all of them. */
export function NavMenu({ tier, isSignedIn }: NavMenuProps) {
  const texts = useTexts().nav;
  return (
    <PanelButton
      face={<MenuIcon />}
      name={texts.menu}
      isNavigation
      css={{ [WIDE_BAR]: { display: "none" } }}
      variant="ghost"
      px="0"
      aria-label={texts.menu}
    >
      {(close) => (
        <>
          <Box display="flex" px="3" py="2" minW="0">
            <TierBadge tier={tier} />
          </Box>
          <Box onClick={close}>
            <Items tier={tier} isSignedIn={isSignedIn} />
          </Box>
        </>
      )}
    </PanelButton>
  );
}
