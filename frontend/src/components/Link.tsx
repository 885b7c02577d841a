import type { ComponentProps } from "react";
import { useHref, useLinkClickHandler } from "react-router";

export interface LinkProps extends ComponentProps<"a"> {
  /** Path of a page of the site, perhaps with a query or a section. */
  readonly to: string;
}

/** A link that opens a page without loading the site anew. React Router's own one also has the prefetching of its framework. */
export function Link({ to, target, onClick, ...rest }: LinkProps) {
  const follow = useLinkClickHandler(to, { target });
  return (
    <a
      {...rest}
      href={useHref(to)}
      target={target}
      onClick={(event) => {
        onClick?.(event);
        if (!event.defaultPrevented) follow(event);
      }}
    />
  );
}
