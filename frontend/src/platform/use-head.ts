/** What search engines and shared links read about a page, beside its title. */
import { useEffect } from "react";
import { useLocation } from "react-router";
import { noteDrawnHead } from "./drawn-head.ts";

/** The head's element of this kind, made if the page came without it. */
function headElement<Name extends "meta" | "link">(
  name: Name,
  attribute: string,
  value: string,
): HTMLElementTagNameMap[Name] {
  const found = document.head.querySelector<HTMLElementTagNameMap[Name]>(`${name}[${attribute}="${value}"]`);
  if (found) return found;
  const made = document.createElement(name);
  made.setAttribute(attribute, value);
  document.head.append(made);
  return made;
}

export interface Head {
  /** A sentence or two; the page's own. */
  readonly description: string;
  /** Pages that are nobody's to find: errors, and what is seen after signing in. */
  readonly isPrivate?: boolean;
}

/** Describes the page and names its one address, without query or anchor. */
export function useHead({ description, isPrivate = false }: Head): void {
  const { pathname } = useLocation();
  noteDrawnHead({ description });
  useEffect(() => {
    headElement("meta", "name", "description").content = description;
    headElement("link", "rel", "canonical").href = new URL(pathname, window.location.origin).href;
    headElement("meta", "name", "robots").content = isPrivate ? "noindex" : "index, follow";
  }, [description, pathname, isPrivate]);
}
