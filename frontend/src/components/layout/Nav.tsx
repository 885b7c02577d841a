import { Box, Button, Flex, chakra } from "@chakra-ui/react";
import { memo } from "react";
import { useDevice } from "../../client/stores.ts";
import { useIsSignedIn } from "../../client/use-identity.ts";
import { useTexts } from "../../texts/store.ts";
import { Link } from "../Link.tsx";
import { AccountMenu } from "./AccountMenu.tsx";
import { NavMenu } from "./NavMenu.tsx";
import { SectionLink } from "./SectionLink.tsx";
import { WIDE_BAR, WIDE_PAGE } from "./wide-bar.ts";
import { TierBadge } from "./TierBadge.tsx";
import { Wordmark } from "./Wordmark.tsx";

/** The longest label does not fit there beside wordmark and menu; the menu has the link too. */
const NOT_ON_NARROWEST = { "@media (max-width: 22.49em)": { display: "none" } };
/** On narrower screens it would be cut beside the buttons; the menu has it too. */
const ROOM_FOR_BADGE = { "@media (min-width: 48em)": { display: "flex" } };

const PlainLink = chakra("span", {
  base: {
    display: "inline-flex",
    alignItems: "center",
    minH: "11",
    px: "3",
    borderRadius: "sm",
    fontSize: "md",
    color: "fg.muted",
    _hover: { color: "fg" },
  },
});

/** Links to the sections of the home page and, for Pro, to the page of Pro. */
function SectionLinks() {
  const texts = useTexts();
  const isPro = useDevice((state) => state.tier === "pro");
  return (
    <Flex
      as="nav"
      aria-label={texts.nav.sections}
      gap="1"
      ms="3"
      display="none"
      css={{ [WIDE_BAR]: { display: "flex" } }}
    >
      <PlainLink asChild>
        <SectionLink anchor="#converter">{texts.nav.converter}</SectionLink>
      </PlainLink>
      <PlainLink asChild>
        <SectionLink anchor="#pricing">{texts.nav.pricing}</SectionLink>
      </PlainLink>
      {isPro && (
        <PlainLink asChild>
          <Link to="/pro">{texts.account.tiers.pro}</Link>
        </PlainLink>
      )}
    </Flex>
  );
}

/** On narrow bars the way of Pro to its dashboard stands where others have Upgrade. */
function DashboardButton() {
  return (
    <Button asChild variant="outline" size="sm" css={{ ...NOT_ON_NARROWEST, [WIDE_BAR]: { display: "none" } }}>
      <Link to="/dashboard">{useTexts().nav.dashboard}</Link>
    </Button>
  );
}

function LoginButton() {
  return (
    <Button asChild variant="outline" size="sm" display="none" css={{ [WIDE_BAR]: { display: "inline-flex" } }}>
      <Link to="/login">{useTexts().nav.login}</Link>
    </Button>
  );
}

function UpgradeButton() {
  return (
    <Button asChild variant="subtle" size="sm" px={{ base: "2.5", sm: "3.5" }} css={NOT_ON_NARROWEST}>
      <Link to="/plans">{useTexts().nav.upgrade}</Link>
    </Button>
  );
}

/** Badge and buttons for the visitor. Takes all free width, so that a longer name moves nothing. */
function VisitorArea() {
  const tier = useDevice((state) => state.tier);
  const isTierKnown = useDevice((state) => state.isTierKnown);
  const isSignedIn = useIsSignedIn();
  return (
    <Flex
      flex="1"
      justify="end"
      align="center"
      gap={{ base: "1", sm: "2.5" }}
      minW="0"
      // Hidden until the identity is known.
      visibility={isTierKnown && isSignedIn !== null ? undefined : "hidden"}
    >
      <Box display="none" minW="0" css={ROOM_FOR_BADGE}>
        <TierBadge tier={tier} />
      </Box>
      {!isSignedIn && <LoginButton />}
      {isSignedIn && tier === "pro" && <DashboardButton />}
      {tier === "free" && <UpgradeButton />}
      {isSignedIn && <AccountMenu tier={tier} />}
      <NavMenu tier={tier} isSignedIn={isSignedIn === true} />
    </Flex>
  );
}

/** The bar at the top of every page. */
export const Nav = memo(function Nav({ isWide }: { isWide: boolean }) {
  return (
    // Sticky, so it is as wide as the window: the page must not show through beside it while scrolling.
    <Box as="header" position="sticky" top="0" zIndex={20} bg="bg">
      <Flex
        align="center"
        gap={{ base: "2", sm: "5" }}
        minH={{ base: "3.75rem", sm: "4.25rem" }}
        maxW="page"
        css={isWide ? WIDE_PAGE : undefined}
        mx="auto"
        px={{ base: "4", sm: "6" }}
      >
        <Wordmark />
        <SectionLinks />
        <VisitorArea />
      </Flex>
    </Box>
  );
});
