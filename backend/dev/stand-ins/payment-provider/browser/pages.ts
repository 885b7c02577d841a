/** HTML of the frames that the browser script opens, and the script files. */
import { readFile } from "node:fs/promises";
import path from "node:path";

const CARD_STYLE = `
  :root { --primary: #0570de; --background: #fff; --text: #30313d; --secondary: #6d6e78; --placeholder: #757680; }
  :root { --danger: #df1b41; --font: system-ui, sans-serif; --size: 16px; --radius: 5px; --unit: 4px; }
  :root[data-theme="night"] { --background: #30313d; --text: #fff; --secondary: #b0b0b8; }
  :root[data-theme="night"] { --placeholder: #a0a0aa; --danger: #fe87a1; }
  * { box-sizing: border-box; }
  html { background: transparent; }
  body { margin: 0; padding: 3px; font: var(--size)/1.4 var(--font); color: var(--text); }
  form { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; align-items: start; }
  form[hidden] { display: none; }
  .wide { grid-column: 1 / -1; }
  .Label { display: block; font-size: .875em; color: var(--text); margin-bottom: 4px; }
  .Input { font: inherit; width: 100%; min-height: 44px; padding: 10px 12px; color: var(--text); }
  .Input { background: var(--background); border-radius: var(--radius); }
  .Input { border: 1px solid color-mix(in srgb, var(--text) 30%, transparent); }
  .Input::placeholder { color: var(--placeholder); opacity: 1; }
  .Input:focus { outline: 2px solid var(--primary); outline-offset: 1px; }
  .Input[aria-invalid="true"] { border-color: var(--danger); color: var(--danger); }
  .Error { color: var(--danger); font-size: .875em; margin: 4px 0 0; }
  .Error:empty { display: none; }
  .note { grid-column: 1 / -1; margin: 0; font-size: .8125em; color: var(--secondary); }
`;

const CHALLENGE_STYLE = `
  :root { color-scheme: light; font: 16px/1.5 system-ui, sans-serif; color: #30313d; background: #fff; }
  body { margin: 0; padding: 24px; }
  h1 { font-size: 1.25rem; margin: 0 0 8px; }
  .note { border: 2px dashed; border-radius: 12px; padding: 8px 12px; font-size: .875rem; }
  button { font: inherit; font-weight: 600; width: 100%; min-height: 44px; margin-top: 12px; border-radius: 12px; }
  button { border: 1px solid #30313d; background: #fff; color: inherit; cursor: pointer; }
  button[value="complete"] { background: #30313d; color: #fff; }
`;

function field(id: string, label: string, attributes: string, className = ""): string {
  const described = `aria-describedby="${id}-problem" aria-invalid="false"`;
  const input = `<input class="Input" id="${id}" inputmode="numeric" ${attributes} ${described}>`;
  const problem = `<p class="Error" id="${id}-problem" role="alert"></p>`;
  return `<div class="${className}"><label class="Label" for="${id}">${label}</label>${input}${problem}</div>`;
}

const NUMBER = 'autocomplete="cc-number" placeholder="1234 1234 1234 1234"';
export const CARD_FIELDS = `${field("number", "Card number", NUMBER, "wide")}
${field("expiry", "Expiration date", 'autocomplete="cc-exp" placeholder="MM / YY"')}
${field("cvc", "Security code", 'autocomplete="cc-csc" placeholder="CVC"')}`;

const PAYMENT_FRAME = page(
  "Card",
  CARD_STYLE,
  `<form hidden novalidate autocomplete="on">${CARD_FIELDS}
<p class="note">For development: test cards only, such as 4242 4242 4242 4242.</p></form>`,
  ["card.js"],
);

const CHALLENGE_FRAME = page(
  "Authentication",
  CHALLENGE_STYLE,
  `<main><h1>Confirm it is you</h1><p>Your bank asks you to confirm this payment.</p>
<p class="note"><strong>For development only.</strong> No bank is asked: choose how it ends.</p>
<button value="complete" disabled>Complete</button><button value="fail" disabled>Fail</button></main>`,
  ["challenge.js"],
);

function page(title: string, style: string, body: string, scripts: readonly string[]): string {
  const tags = scripts.map((script) => `<script type="module" src="/elements/${script}"></script>`).join("");
  return `<!doctype html>
<html lang="en"><head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${style}</style>
</head>
<body>${body}${tags}</body></html>`;
}

const SCRIPTS: { readonly [path: string]: string } = {
  "/stripe.js": "stripe.js",
  "/elements/frame.js": "frame.js",
  "/elements/card.js": "card.js",
  "/elements/challenge.js": "challenge.js",
};
const FRAMES: { readonly [path: string]: string } = {
  "/elements/payment": PAYMENT_FRAME,
  "/elements/challenge": CHALLENGE_FRAME,
};

/** @returns the script or frame at a path, or undefined */
export async function browserFile(pathname: string): Promise<{ type: string; content: string } | undefined> {
  const frame = FRAMES[pathname];
  if (frame !== undefined) return { type: "text/html; charset=utf-8", content: frame };
  const script = SCRIPTS[pathname];
  return script === undefined
    ? undefined
    : {
        type: "text/javascript; charset=utf-8",
        content: await readFile(path.join(import.meta.dirname, script), "utf8"),
      };
}
