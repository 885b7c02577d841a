/**
 * What a visitor does before the app runs. Links, radio buttons, the select and the text of a field work without it;
 * pressed buttons, submitted forms, pasted and dropped text are kept, and done when it runs.
 */
import { EDITABLE, droppedText, hasText } from "../platform/transferred-text.ts";

type KeptAction =
  | { readonly kind: "press"; readonly target: HTMLElement; readonly clipboard: Promise<string> | null }
  | { readonly kind: "submit"; readonly target: HTMLFormElement }
  | { readonly kind: "paste"; readonly target: EventTarget; readonly text: string };

const kept: KeptAction[] = [];
const ended = new AbortController();
/** The buttons that wait for the app, with their attribute before. */
const busy = new Map<Element, string | null>();

const BUSY = "aria-busy";
export const LINK_FIELD = "input[name=link]";

function showBusy(button: Element | null): void {
  if (!button || busy.has(button)) return;
  busy.set(button, button.getAttribute(BUSY));
  button.setAttribute(BUSY, "true");
}

function showReady(): void {
  for (const [button, before] of busy) {
    if (before === null) button.removeAttribute(BUSY);
    else button.setAttribute(BUSY, before);
  }
}

/** An impatient visitor presses the same button twice; it counts once. */
const isKept = (target: EventTarget) => kept.some((action) => action.kind !== "paste" && action.target === target);

function stop(event: Event): void {
  event.preventDefault();
  // React could handle it too, while it hydrates.
  event.stopImmediatePropagation();
}

/** Browsers let a page read the clipboard only in answer to a press; later it would be too late. */
async function readClipboard(): Promise<string> {
  try {
    return await navigator.clipboard.readText();
  } catch (error) {
    // Refused, or not available: the app's own button says what to do then.
    if (error instanceof DOMException || error instanceof TypeError) return "";
    throw error;
  }
}

function keepPress(event: Event): void {
  const target = event.target instanceof Element ? event.target.closest("button") : null;
  if (!target) return;
  // The browser submits the form, which is kept itself.
  if (target.form !== null && target.type === "submit") return event.stopPropagation();
  stop(event);
  if (!isKept(target))
    kept.push({ kind: "press", target, clipboard: "paste" in target.dataset ? readClipboard() : null });
  showBusy(target);
}

function keepSubmit(event: SubmitEvent): void {
  const { target } = event;
  if (!(target instanceof HTMLFormElement)) return;
  stop(event);
  if (!isKept(target)) kept.push({ kind: "submit", target });
  showBusy(target.querySelector("[type=submit]"));
}

function keepText(target: EventTarget | null, text: string | undefined): void {
  if (target !== null && text) kept.push({ kind: "paste", target, text });
}

let isOwnDrag = false;

/** Without this, browsers leave the page for a link that is dropped onto it. */
function acceptDrag(event: DragEvent): void {
  const isField = event.target instanceof Element && event.target.closest(EDITABLE) !== null;
  if (isOwnDrag || isField || !event.dataTransfer || !hasText(event.dataTransfer)) return;
  event.preventDefault();
  if (event.type === "drop") keepText(document.body, droppedText(event.dataTransfer));
}

/** The parts of a key press and a tap; what they lead to is kept, or the browser does it. */
const INPUT_PARTS =
  "keydown keypress keyup pointerdown pointerup mousedown mouseup touchstart touchend paste input change";

/** At the first such event React would hydrate the page in one go, and what the visitor did would be answered after it. */
function hideFromReact(event: Event): void {
  const { type, target } = event;
  // What a field holds, hydration takes over; the others have handlers only.
  if (/^(?:input|change)$/.test(type) && !(target instanceof Element && target.matches(LINK_FIELD))) return;
  event.stopPropagation();
}

/** Begins to keep the visitor's actions; ends with {@link doKeptActions} or {@link endKeeping}. */
export function keepActions(): void {
  const options = { capture: true, signal: ended.signal };
  window.addEventListener("click", keepPress, options);
  window.addEventListener("submit", keepSubmit, options);
  // The browser itself pastes into a field; the app takes the links out of it, as it does later.
  window.addEventListener(
    "paste",
    ({ target, clipboardData }) => keepText(target, clipboardData?.getData("text/plain")),
    options,
  );
  for (const type of INPUT_PARTS.split(" ")) window.addEventListener(type, hideFromReact, options);
  window.addEventListener("dragstart", () => (isOwnDrag = true), options);
  window.addEventListener("dragend", () => (isOwnDrag = false), options);
  window.addEventListener("dragover", acceptDrag, options);
  window.addEventListener("drop", acceptDrag, options);
}

/** Leaves what the visitor does from now on to the browser, which submits a form itself. */
export function endKeeping(): void {
  ended.abort();
}

/** @returns whether the app took the text */
function paste(target: EventTarget, text: string): boolean {
  // Not every browser lets a script create a clipboard event with text.
  const event = new Event("paste", { bubbles: true, cancelable: true });
  return !target.dispatchEvent(Object.assign(event, { clipboardData: { getData: () => text } }));
}

async function repeat(action: KeptAction): Promise<void> {
  switch (action.kind) {
    case "press": {
      const text = await action.clipboard;
      if (!text || !paste(document.body, text)) action.target.click();
      return;
    }
    case "submit":
      return action.target.requestSubmit();
    case "paste":
      paste(action.target, action.text);
  }
}

/** Does each kept action once, in their order; the app must handle events by now. */
export async function doKeptActions(): Promise<void> {
  endKeeping();
  showReady();
  for (const action of kept.splice(0)) await repeat(action);
}

/** @returns a form that the visitor has submitted */
export const submittedForm = (): HTMLFormElement | undefined => kept.find((action) => action.kind === "submit")?.target;

/** @returns the last text that was pasted or dropped */
export const pastedText = (): string | undefined => kept.findLast((action) => action.kind === "paste")?.text;
