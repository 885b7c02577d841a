// Replaces the provider's browser script: shows the Payment Element in a frame and confirms intents. Card data stay in
// that frame; this script runs in the page and never sees them.
(() => {
  const ORIGIN = new URL(document.currentScript.src).origin;

  /** Opens a frame of the stand-in. `send` sends a message to it. */
  function openFrame(path, title, style, onMessage) {
    const frame = document.createElement("iframe");
    frame.title = title;
    frame.src = `${ORIGIN}${path}?parent=${encodeURIComponent(location.origin)}`;
    Object.assign(frame.style, { border: "0", width: "100%", ...style });
    function listen({ origin, source, data }) {
      if (origin === ORIGIN && source === frame.contentWindow) onMessage(data);
    }
    window.addEventListener("message", listen);
    return {
      frame,
      send: (message) => frame.contentWindow?.postMessage(message, ORIGIN),
      close() {
        window.removeEventListener("message", listen);
        frame.remove();
      },
    };
  }

  function createElement(group) {
    const listeners = new Map();
    const emit = (name, event) => listeners.get(name)?.forEach((listener) => listener(event));
    const { key, clientSecret, fonts } = group;
    const handlers = {
      height: ({ heightPx }) => (link.frame.style.height = `${heightPx}px`),
      listening: () => link.send({ type: "open", clientSecret, key, fonts, appearance: group.appearance }),
      ready: () => emit("ready", { elementType: "payment" }),
      loaderror: ({ error }) => emit("loaderror", { elementType: "payment", error }),
      confirmed: ({ result }) => group.onConfirmed(result),
    };
    const link = openFrame(
      "/elements/payment",
      "Secure payment input frame",
      { height: "216px", display: "block" },
      (message) => handlers[message.type]?.(message),
    );
    group.send = link.send;
    return {
      on: (name, listener) => void listeners.set(name, [...(listeners.get(name) ?? []), listener]),
      off: (name, listener) =>
        void listeners.set(
          name,
          (listeners.get(name) ?? []).filter((one) => one !== listener),
        ),
      mount: (node) => node.append(link.frame),
      destroy: () => link.close(),
      update: () => undefined,
    };
  }

  function createElements(key, { clientSecret, appearance, fonts }) {
    const group = { key, clientSecret, appearance, fonts };
    return {
      group,
      create: () => createElement(group),
      getElement: () => null,
      update(changes) {
        if (!changes.appearance) return;
        group.appearance = changes.appearance;
        group.send?.({ type: "appearance", appearance: changes.appearance });
      },
    };
  }

  /** Shows the bank's confirmation in a dialog over the page. @returns the resulting intent */
  function authenticate(key, clientSecret) {
    const shade = document.createElement("dialog");
    shade.setAttribute("aria-label", "Authentication");
    return new Promise((resolve) => {
      const link = openFrame("/elements/challenge", "Authentication challenge", { height: "320px" }, (message) => {
        if (message.type === "listening") link.send({ type: "open", clientSecret, key });
        if (message.type !== "done") return;
        link.close();
        shade.remove();
        resolve(message.result);
      });
      shade.append(link.frame);
      document.body.append(shade);
      shade.showModal();
    });
  }

  /** The stand-in never needs the whole window, so it never redirects to the `return_url`. */
  async function confirm({ elements: { group } }) {
    const { key, clientSecret } = group;
    const result = await new Promise((resolve) => {
      group.onConfirmed = resolve;
      group.send({ type: "confirm", clientSecret, key });
    });
    return result.paymentIntent?.status === "requires_action" ? authenticate(key, clientSecret) : result;
  }

  const unsupported = () => Promise.reject(new Error("The stand-in has only the Payment Element."));
  window.Stripe = (key) => ({
    elements: (options) => createElements(key, options),
    confirmPayment: confirm,
    confirmSetup: confirm,
    // The React components want to see them.
    createToken: unsupported,
    createPaymentMethod: unsupported,
    confirmCardPayment: unsupported,
  });
  // The release name that the npm loader expects.
  window.Stripe.version = "endive";
})();
