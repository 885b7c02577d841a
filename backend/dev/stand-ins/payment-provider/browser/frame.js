// What both frames share: talking with the page that opened them, and asking the stand-in.
const parentOrigin = new URLSearchParams(location.search).get("parent") ?? location.origin;

export function tellPage(message) {
  parent.postMessage(message, parentOrigin);
}

/** @param handlers by the message's type; what one returns is the answer */
export function listenToPage(handlers) {
  async function hear({ type, question, ...message }) {
    const answer = await handlers[type]?.(message);
    if (question !== undefined) tellPage({ answerTo: question, ...answer });
  }
  window.addEventListener("message", (event) => {
    if (event.origin === parentOrigin && event.source === parent) void hear(event.data);
  });
  tellPage({ type: "listening" });
}

/** @returns {Promise<object>} {paymentIntent} or {setupIntent} or {error} */
export function post(path, body) {
  return ask(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
}

export function get(path) {
  return ask(path, {});
}

async function ask(path, options) {
  try {
    const answer = await fetch(path, options);
    return await answer.json();
  } catch {
    return {
      error: {
        type: "api_connection_error",
        message:
          "We are experiencing issues connecting to our payments provider. Please check your internet connection and try again.",
      },
    };
  }
}
