/** The HTML pages of the development provider: the sign-in form and the error page. They load nothing else. */
const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { margin: 0; display: grid; place-items: center; min-height: 100vh; padding: 24px; box-sizing: border-box; }
  main { width: 100%; max-width: 22rem; }
  h1 { font-size: 1.5rem; margin: 0 0 .5rem; }
  .note { border: 2px dashed; border-radius: 12px; padding: 12px; }
  label { display: block; font-weight: 600; margin-top: 16px; }
  input, button { font: inherit; box-sizing: border-box; width: 100%; min-height: 44px; padding: 8px 12px; }
  input, button { border-radius: 12px; border: 1px solid; }
  button { margin-top: 24px; font-weight: 600; cursor: pointer; background: CanvasText; color: Canvas; }
  a { display: inline-block; padding: 10px 0; color: inherit; }
`;

/**
 * @param options.action path that the form is posted to
 * @param options.cancel path of the cancel link
 * @param options.problem sentence above the form
 */
export function renderSignInPage(options: {
  action: string;
  cancel: string;
  problem?: string;
  email?: string;
  firstName?: string;
}): string {
  const { action, cancel, problem, email = "", firstName = "" } = options;
  return page(`<h1>Sign in</h1>
<p class="note"><strong>For development only.</strong> This page stands in for a real identity provider:
any email address will do, and no password is asked.</p>
${problem === undefined ? "" : `<p role="alert">${escape(problem)}</p>`}
<form method="post" action="${escape(action)}">
<label for="email">Email</label>
<input id="email" name="email" type="email" required autofocus autocomplete="email" value="${escape(email)}">
<label for="first-name">First name</label>
<input id="first-name" name="firstName" maxlength="100" autocomplete="given-name" value="${escape(firstName)}">
<button type="submit">Sign in</button>
</form>
<a href="${escape(cancel)}">Cancel</a>`);
}

/** @param options.backTo address of the page where a sign-in begins */
export function renderProblemPage({ problem, backTo }: { problem: string; backTo: string }): string {
  return page(`<h1>Sign in</h1>
<p role="alert">${escape(problem)}</p>
<a href="${escape(backTo)}">Back to the sign-in page</a>`);
}

/** @param content HTML */
function page(content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sign in (for development)</title><style>${STYLE}</style>
</head>
<body><main>
${content}
</main></body></html>`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
