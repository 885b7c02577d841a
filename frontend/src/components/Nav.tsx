import { Button, Flex, chakra } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useDevice, useUser } from "../app.ts";
import { nameOf } from "../stores/user.ts";
import { useTexts } from "../texts/store.ts";
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
  const texts = useTexts().nav;
  const tier = useDevice((state) => state.tier);
  const user = useUser((state) => state.user);
  const badge = tier === "pro" ? texts.proUser : texts.freeUser;
  return (
    <Flex as="header" align="center" gap={{ base: "2", sm: "5" }} minH={{ base: "3.75rem", sm: "4.25rem" }}>
      <Wordmark />
      <Flex as="nav" aria-label={texts.sections} gap="1" ms="3" display={{ base: "none", sm: "flex" }}>
        <NavLink href="/#converter">{texts.converter}</NavLink>
        <NavLink href="/#pricing">{texts.pricing}</NavLink>
      </Flex>
      <Flex ms="auto" align="center" gap="2.5" minW="0">
        <Badge title={user?.email}>{user ? `${badge} · ${nameOf(user)}` : badge}</Badge>
        {user ? (
          <>
            <Button asChild variant="outline" size="sm" display={{ base: tier === "pro" ? "inline-flex" : "none", sm: "inline-flex" }}>
              <Link to="/dashboard">{texts.dashboard}</Link>
            </Button>
            <Button asChild variant="ghost" size="sm" px="2" display={{ base: "none", sm: "inline-flex" }}>
              <a href="/api/logout">{texts.logout}</a>
            </Button>
          </>
        ) : (
          <Button asChild variant="outline" size="sm" display={{ base: "none", sm: "inline-flex" }}>
            <Link to="/login">{texts.login}</Link>
          </Button>
        )}
        {tier === "free" && (
          <Button asChild size="sm">
            <Link to="/plans">{texts.upgrade}</Link>
          </Button>
        )}
      </Flex>
    </Flex>
  );
}
