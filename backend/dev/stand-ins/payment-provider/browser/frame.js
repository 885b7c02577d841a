// Shared by both frames: messages to the page that opened them, and calls of the stand-in.
const parentOrigin = new URLSearchParams(location.search).get("parent");

export function tellPage(message) {
  parent.postMessage(message, parentOrigin);
}

/** @param handlers by message type */
export function listenToPage(handlers) {
  window.addEventListener("message", ({ origin, source, data }) => {
    if (origin === parentOrigin && source === parent) void handlers[data.type]?.(data);
  });
  tellPage({ type: "listening" });
}

/** @returns {Promise<object>} {paymentIntent} or {setupIntent} or {error} */
export async function post(path, body) {
  try {
    return await (await fetch(path, { method: "POST", body: JSON.stringify(body) })).json();
  } catch {
    return { error: { type: "api_connection_error", message: "The payment provider cannot be reached." } };
  }
}
