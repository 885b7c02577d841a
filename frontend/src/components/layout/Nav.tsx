import { Box, Button, Flex, chakra } from "@chakra-ui/react";
import { memo } from "react";
import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";
import type { Tier } from "../../../../common/tiers.ts";
import { useDevice, useUser } from "../../client/client.ts";
import { useIsSignedIn } from "../../client/use-identity.ts";
import { nameOf } from "../../stores/user.ts";
import { useTexts } from "../../texts/store.ts";
import { Wordmark } from "./Wordmark.tsx";

const Badge = chakra("span", {
  base: {
    display: { base: "none", sm: "inline" },
    border: "1px solid {colors.border}",
    borderRadius: "full",
    px: "2.5",
    py: "1",
    fontSize: "xs",
    fontWeight: 600,
    color: "fg.muted",
    whiteSpace: "nowrap",
    maxW: "13rem",
    overflow: "hidden",
    textOverflow: "ellipsis",
  },
});

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

/** A link to a section of the home page. On the home page it is a plain anchor, which scrolls and moves the focus. */
function NavLink({ anchor, children }: { anchor: string; children: ReactNode }) {
  const { pathname } = useLocation();
  return (
    <PlainLink asChild>
      {pathname === "/" ? <a href={anchor}>{children}</a> : <Link to={`/${anchor}`}>{children}</Link>}
    </PlainLink>
  );
}

/** Links to the sections of the home page. */
function SectionLinks() {
  const texts = useTexts().nav;
  return (
    // The labels of the longest language fit from this width on.
    <Flex
      as="nav"
      aria-label={texts.sections}
      gap="1"
      ms="3"
      display="none"
      css={{ "@media (min-width: 48em)": { display: "flex" } }}
    >
      <NavLink anchor="#converter">{texts.converter}</NavLink>
      <NavLink anchor="#pricing">{texts.pricing}</NavLink>
    </Flex>
  );
}

/** The visitor's tier, with the name of a signed-in user. */
function TierBadge({ tier, isSignedIn }: { tier: Tier; isSignedIn: boolean | null }) {
  const texts = useTexts().nav;
  const user = useUser((state) => state.user);
  const label = tier === "pro" ? texts.proUser : texts.freeUser;
  return (
    // The key makes a badge with a name a new element, so that it does not count as a layout shift.
    <Badge key={user?.id} title={user?.email} visibility={isSignedIn === (user !== null) ? undefined : "hidden"}>
      {user ? `${label} · ${nameOf(user)}` : label}
    </Badge>
  );
}

/** Dashboard and sign-out for a signed-in user. */
function UserButtons({ tier }: { tier: Tier }) {
  const texts = useTexts().nav;
  return (
    <>
      <Button
        asChild
        variant="outline"
        size="sm"
        display={{ base: tier === "pro" ? "inline-flex" : "none", sm: "inline-flex" }}
      >
        <Link to="/dashboard">{texts.dashboard}</Link>
      </Button>
      <Button asChild variant="ghost" size="sm" px="2" display={{ base: "none", sm: "inline-flex" }}>
        <a href="/api/logout">{texts.logout}</a>
      </Button>
    </>
  );
}

function LoginButton() {
  return (
    <Button asChild variant="outline" size="sm" display={{ base: "none", sm: "inline-flex" }}>
      <Link to="/login">{useTexts().nav.login}</Link>
    </Button>
  );
}

function UpgradeButton() {
  return (
    // On the narrowest phones the longest label still fits beside the wordmark.
    <Button asChild size="sm" px={{ base: "2.5", sm: "3.5" }}>
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
      gap="2.5"
      minW="0"
      // Hidden until the identity is known.
      visibility={isTierKnown && isSignedIn !== null ? undefined : "hidden"}
    >
      <TierBadge tier={tier} isSignedIn={isSignedIn} />
      {isSignedIn ? <UserButtons tier={tier} /> : <LoginButton />}
      {tier === "free" && <UpgradeButton />}
    </Flex>
  );
}

/** The bar at the top of every page. */
export const Nav = memo(function Nav() {
  return (
    // Sticky, so it is as wide as the window: the page must not show through beside it while scrolling.
    <Box as="header" position="sticky" top="0" zIndex={20} bg="bg">
      <Flex
        align="center"
        gap={{ base: "2", sm: "5" }}
        minH={{ base: "3.75rem", sm: "4.25rem" }}
        maxW="page"
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
