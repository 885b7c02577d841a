/** Takes the part that a link to this page names: `/?url=…&from=…&to=…`, in seconds. */
import { Part } from "../../../common/choices.ts";
import { choices } from "./stores.ts";

/** Chooses the part for the link that is in the field. */
export function chooseLinkedPart(named: URLSearchParams): void {
  const [startSeconds, endSeconds] = ["from", "to"].map((name) => Number(named.get(name)));
  const { data: part } = Part.safeParse({ startSeconds, endSeconds });
  if (part) choices.setState({ choices: { part }, isOpen: true });
}
