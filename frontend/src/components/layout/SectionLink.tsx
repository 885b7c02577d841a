import type { ComponentProps } from "react";
import { useLocation } from "react-router";
import { Link } from "../Link.tsx";

export interface SectionLinkProps extends ComponentProps<"a"> {
  /** "#pricing" */
  readonly anchor: string;
}

/** A link to a section of the home page. On the home page it is a plain anchor, which scrolls and moves the focus. */
export function SectionLink({ anchor, children, ...rest }: SectionLinkProps) {
  const { pathname } = useLocation();
  return pathname === "/" ? (
    <a {...rest} href={anchor}>
      {children}
    </a>
  ) : (
    <Link {...rest} to={`/${anchor}`}>
      {children}
    </Link>
  );
}
