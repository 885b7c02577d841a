/** HTML of the frames that the browser script opens, and the script files. */
import { readFile } from "node:fs/promises";
import path from "node:path";

const CARD_STYLE = `
  :root { --primary: #0570de; --background: #fff; --text: #30313d; --secondary: #6d6e78; --placeholder: #757680; }
  :root { --font: system-ui, sans-serif; --size: 16px; --radius: 5px; }
  * { box-sizing: border-box; }
  html { background: transparent; }
  body { margin: 0; padding: 3px; font: var(--size)/1.4 var(--font); color: var(--text); }
  form { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; }
  form[hidden] { display: none; }
  .wide { grid-column: 1 / -1; }
  .Label { display: block; margin-bottom: 4px; }
  .Input { font: inherit; width: 100%; min-height: 44px; padding: 10px 12px; color: var(--text); }
  .Input { background: var(--background); border-radius: var(--radius); }
  .Input::placeholder { color: var(--placeholder); opacity: 1; }
  .Input:focus { outline: 2px solid var(--primary); outline-offset: 1px; }
  .note { margin: 0; font-size: .8125em; color: var(--secondary); }
`;

const CHALLENGE_STYLE = `
  body { font: 16px/1.5 system-ui, sans-serif; color: #30313d; background: #fff; }
  button { font: inherit; width: 100%; min-height: 44px; margin-top: 12px; }
`;

function field(id: string, label: string, placeholder: string, className = ""): string {
  return `<div class="${className}"><label class="Label" for="${id}">${label}</label>
<input class="Input" id="${id}" inputmode="numeric" placeholder="${placeholder}"></div>`;
}

const FRAMES: { readonly [path: string]: string } = {
  "/elements/payment": page(
    "Card",
    CARD_STYLE,
    `<form hidden>${field("number", "Card number", "1234 1234 1234 1234", "wide")}
${field("expiry", "Expiration date", "MM / YY")}${field("cvc", "Security code", "CVC")}
<p class="note wide">For development: test cards only, such as 4242 4242 4242 4242.</p></form>`,
    "card.js",
  ),
  "/elements/challenge": page(
    "Authentication",
    CHALLENGE_STYLE,
    `<main><h1>Confirm it is you</h1><p>For development only: no bank is asked. Choose how it ends.</p>
<button value="complete" disabled>Complete</button><button value="fail" disabled>Fail</button></main>`,
    "challenge.js",
  ),
};

function page(title: string, style: string, body: string, script: string): string {
  return `<!doctype html>
<html lang="en"><head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${style}</style>
</head>
<body>${body}<script type="module" src="/elements/${script}"></script></body></html>`;
}

/** @returns the script or frame at a path, or undefined */
export async function browserFile(pathname: string): Promise<{ type: string; content: string } | undefined> {
  const frame = FRAMES[pathname];
  if (frame !== undefined) return { type: "text/html; charset=utf-8", content: frame };
  const [, script] = /^\/(?:elements\/)?((?:stripe|frame|card|challenge)\.js)$/.exec(pathname) ?? [];
  if (script === undefined) return undefined;
  const content = await readFile(path.join(import.meta.dirname, script), "utf8");
  return { type: "text/javascript; charset=utf-8", content };
}
