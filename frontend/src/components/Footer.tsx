import { Flex, Spacer, chakra } from "@chakra-ui/react";
import { Link } from "react-router";

const LINKS = [
  { href: "/help", label: "Help" },
  { href: "/contact", label: "Contact" },
  { href: "/privacy", label: "Privacy" },
  { href: "/terms", label: "Terms" },
];

const FooterLink = chakra(Link, {
  base: { display: "inline-flex", alignItems: "center", minH: "11", px: { base: "1.5", sm: "2" }, borderRadius: "sm", _hover: { color: "fg" } },
});

export function Footer() {
  return (
    <Flex
      as="footer"
      wrap="wrap"
      align="center"
      columnGap="1"
      justify={{ base: "space-between", sm: "start" }}
      mt="16"
      mb="6"
      pt="3"
      borderTop="1px solid {colors.border}"
      textStyle="meta"
    >
      <chakra.span display={{ base: "none", sm: "inline" }}>Tapedeck</chakra.span>
      <Spacer display={{ base: "none", sm: "block" }} />
      {/* A phone's top bar has no room for it. */}
      <FooterLink to="/login" display={{ base: "inline-flex", sm: "none" }}>
        Pro Login
      </FooterLink>
      {LINKS.map(({ href, label }) => (
        <FooterLink key={href} to={href}>
          {label}
        </FooterLink>
      ))}
    </Flex>
  );
}
