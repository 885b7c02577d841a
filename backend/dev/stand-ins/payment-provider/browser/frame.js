// Shared by both frames: messages to the page that opened them, and calls of the stand-in.
const parentOrigin = new URLSearchParams(location.search).get("parent") ?? location.origin;

export function tellPage(message) {
  parent.postMessage(message, parentOrigin);
}

/** @param handlers by message type; the return value is the answer */
export function listenToPage(handlers) {
  async function handle({ type, requestId, ...message }) {
    const answer = await handlers[type]?.(message);
    if (requestId !== undefined) tellPage({ responseTo: requestId, ...answer });
  }
  window.addEventListener("message", (event) => {
    if (event.origin === parentOrigin && event.source === parent) void handle(event.data);
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
          "We are experiencing issues connecting to our payments provider. Please check your internet " +
          "connection and try again.",
      },
    };
  }
}
