import { Button, Flex, chakra } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useDevice, useUser } from "../app.ts";
import { useIsSignedIn } from "../features/account/use-identity.ts";
import { nameOf } from "../stores/user.ts";
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

/** A place on the home page: the browser itself scrolls there. */
function NavLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <chakra.a
      href={href}
      display="inline-flex"
      alignItems="center"
      minH="11"
      px="3"
      borderRadius="sm"
      fontSize="md"
      color="fg.muted"
      _hover={{ color: "fg" }}
    >
      {children}
    </chakra.a>
  );
}

/** The bar at the top of every page. */
export function Nav() {
  const tier = useDevice((state) => state.tier);
  const user = useUser((state) => state.user);
  const isTierKnown = useDevice((state) => state.isTierKnown);
  const isSignedIn = useIsSignedIn();
  const badge = tier === "pro" ? "Pro User" : "Free User";
  return (
    <Flex as="header" align="center" gap={{ base: "2", sm: "5" }} minH={{ base: "3.75rem", sm: "4.25rem" }}>
      <Wordmark />
      <Flex as="nav" aria-label="Sections" gap="1" ms="3" display={{ base: "none", sm: "flex" }}>
        <NavLink href="/#converter">Converter</NavLink>
        <NavLink href="/#pricing">Pricing</NavLink>
      </Flex>
      {/* As wide as there is room, so that nothing moves for a longer name; says nothing before it is known who is here. */}
      <Flex flex="1" justify="end" align="center" gap="2.5" minW="0" visibility={isTierKnown && isSignedIn !== null ? undefined : "hidden"}>
        {/* With a name it is another badge: one that appears, not one that grows. */}
        <Badge key={user?.id} title={user?.email} visibility={isSignedIn === (user !== null) ? undefined : "hidden"}>
          {user ? `${badge} · ${nameOf(user)}` : badge}
        </Badge>
        {isSignedIn ? (
          <>
            <Button asChild variant="outline" size="sm" display={{ base: tier === "pro" ? "inline-flex" : "none", sm: "inline-flex" }}>
              <Link to="/dashboard">Dashboard</Link>
            </Button>
            <Button asChild variant="ghost" size="sm" px="2" display={{ base: "none", sm: "inline-flex" }}>
              <a href="/api/logout">Logout</a>
            </Button>
          </>
        ) : (
          <Button asChild variant="outline" size="sm" display={{ base: "none", sm: "inline-flex" }}>
            <Link to="/login">Pro Login</Link>
          </Button>
        )}
        {tier === "free" && (
          <Button asChild size="sm">
            <Link to="/plans">Upgrade to Pro</Link>
          </Button>
        )}
      </Flex>
    </Flex>
  );
}
