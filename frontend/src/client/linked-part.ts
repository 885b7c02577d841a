/** Takes the part that a link to this page names: `/?url=…&from=…&to=…`, in seconds. */
import { Part } from "../../../common/choices.ts";
import { converter } from "./converter.ts";
import { choices } from "./stores.ts";

const NAMES = ["from", "to"] as const;

/** Chooses the part once its link is in the field, and removes it from the address. Called after the first scripts. */
export function takeLinkedPart(): void {
  const address = new URL(window.location.href);
  const [startSeconds, endSeconds] = NAMES.map((name) => Number(address.searchParams.get(name)));
  const { data: part } = Part.safeParse({ startSeconds, endSeconds });
  if (!part) return;
  for (const name of NAMES) address.searchParams.delete(name);
  window.history.replaceState(window.history.state, "", address);
  const take = (): void => choices.setState({ choices: { part }, isOpen: true });
  if (converter.getState().link !== "") return take();
  const stop = converter.subscribe(({ link }) => {
    if (link === "") return;
    stop();
    take();
  });
}
