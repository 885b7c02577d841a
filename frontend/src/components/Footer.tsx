import { Flex, Spacer, chakra } from "@chakra-ui/react";

const LINKS = [
  { href: "/help", label: "Help" },
  { href: "/contact", label: "Contact" },
  { href: "/privacy", label: "Privacy" },
  { href: "/terms", label: "Terms" },
];

const FooterLink = chakra("a", {
  base: { display: "inline-flex", alignItems: "center", minH: "11", px: "2", borderRadius: "sm", _hover: { color: "fg" } },
});

export function Footer() {
  return (
    <Flex
      as="footer"
      wrap="wrap"
      align="center"
      columnGap="1"
      mt="16"
      mb="6"
      pt="3"
      borderTop="1px solid {colors.border}"
      textStyle="meta"
    >
      <span>Tapedeck</span>
      <Spacer />
      {/* A phone's top bar has no room for it. */}
      <FooterLink href="/login" display={{ base: "inline-flex", sm: "none" }}>
        Pro Login
      </FooterLink>
      {LINKS.map(({ href, label }) => (
        <FooterLink key={href} href={href}>
          {label}
        </FooterLink>
      ))}
    </Flex>
  );
}
