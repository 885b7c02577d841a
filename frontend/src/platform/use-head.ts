/** Sets the metadata of a page for search engines and link previews. */
import { useEffect } from "react";
import { useLocation } from "react-router";
import { recordHead } from "./prerendered-head.ts";

/** @returns the matching element of the document's head, created if missing */
function headElement<Name extends "meta" | "link">(
  name: Name,
  attribute: string,
  value: string,
): HTMLElementTagNameMap[Name] {
  const existing = document.head.querySelector<HTMLElementTagNameMap[Name]>(`${name}[${attribute}="${value}"]`);
  if (existing) return existing;
  const created = document.createElement(name);
  created.setAttribute(attribute, value);
  document.head.append(created);
  return created;
}

export interface Head {
  /** One or two sentences about this page. */
  readonly description: string;
  /** Keeps the page out of search engines: error pages, and pages after signing in. */
  readonly isPrivate?: boolean;
}

/** Sets description, robots and the canonical URL without query and hash. */
export function useHead({ description, isPrivate = false }: Head): void {
  const { pathname } = useLocation();
  recordHead({ description, isPrivate });
  useEffect(() => {
    headElement("meta", "name", "description").content = description;
    headElement("link", "rel", "canonical").href = new URL(pathname, window.location.origin).href;
    headElement("meta", "name", "robots").content = isPrivate ? "noindex" : "index, follow";
  }, [description, pathname, isPrivate]);
}
