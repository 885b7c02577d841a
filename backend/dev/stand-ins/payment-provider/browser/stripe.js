// Replaces the provider's browser script: shows the Payment Element in a frame and confirms intents. Card data stay in
// that frame; this script runs in the page and never sees them.
(() => {
  const ORIGIN = new URL(document.currentScript.src).origin;
  const FRAME_TITLE = "Secure payment input frame";
  let frames = 0;

  /** Opens a frame of the stand-in. `send` sends a message, `request` sends one and resolves with its answer. */
  function openFrame(path, title, onMessage) {
    const frame = document.createElement("iframe");
    frames += 1;
    frame.name = `__privateStripeFrame${frames}`;
    frame.title = title;
    frame.src = `${ORIGIN}${path}`;
    const pending = new Map();
    let lastId = 0;
    function listen(event) {
      if (event.origin !== ORIGIN || event.source !== frame.contentWindow) return;
      const { responseTo, ...message } = event.data;
      if (responseTo === undefined) return onMessage(message);
      pending.get(responseTo)?.(message);
      pending.delete(responseTo);
    }
    window.addEventListener("message", listen);
    return {
      frame,
      send: (message) => frame.contentWindow?.postMessage(message, ORIGIN),
      request: (message) =>
        new Promise((resolve) => {
          lastId += 1;
          pending.set(lastId, resolve);
          frame.contentWindow?.postMessage({ ...message, requestId: lastId }, ORIGIN);
        }),
      close() {
        window.removeEventListener("message", listen);
        frame.remove();
      },
    };
  }

  function openPaymentFrame(onMessage) {
    const link = openFrame(`/elements/payment?parent=${encodeURIComponent(location.origin)}`, FRAME_TITLE, onMessage);
    Object.assign(link.frame.style, {
      border: "0",
      width: "100%",
      height: "216px",
      display: "block",
      colorScheme: "normal",
    });
    link.frame.allow = "payment *";
    return link;
  }

  function createElement(group, type) {
    if (type !== "payment") throw new Error(`The stand-in has no ${type} element.`);
    const listeners = new Map();
    let link;
    const emit = (name, event) => listeners.get(name)?.forEach((listener) => listener(event));
    const eventHandlers = {
      height: ({ heightPx }) => (link.frame.style.height = `${heightPx}px`),
      listening: () =>
        link.send({
          type: "open",
          clientSecret: group.clientSecret,
          key: group.key,
          appearance: group.appearance,
          fonts: group.fonts,
        }),
      ready: () => emit("ready", { elementType: type }),
      loaderror: ({ error }) => emit("loaderror", { elementType: type, error }),
      change: ({ isEmpty, isComplete }) =>
        emit("change", {
          elementType: type,
          empty: isEmpty,
          complete: isComplete,
          collapsed: false,
          value: { type: "card" },
        }),
      focus: () => emit("focus", { elementType: type }),
      blur: () => emit("blur", { elementType: type }),
      escape: () => emit("escape", { elementType: type }),
    };
    const element = {
      on(name, listener) {
        listeners.set(name, [...(listeners.get(name) ?? []), listener]);
        return element;
      },
      once(name, listener) {
        const listenOnce = (event) => {
          element.off(name, listenOnce);
          listener(event);
        };
        return element.on(name, listenOnce);
      },
      off(name, listener) {
        listeners.set(name, listener ? (listeners.get(name) ?? []).filter((one) => one !== listener) : []);
        return element;
      },
      mount(place) {
        const node = typeof place === "string" ? document.querySelector(place) : place;
        if (!node) throw new Error("The element to mount into is not there.");
        link = openPaymentFrame((message) => eventHandlers[message.type]?.(message));
        node.classList.add("StripeElement");
        node.append(link.frame);
        emit("loaderstart", { elementType: type });
      },
      unmount() {
        link?.close();
        link = undefined;
      },
      destroy() {
        element.unmount();
        listeners.clear();
        group.element = undefined;
      },
      update: () => undefined,
      focus: () => link?.send({ type: "focus" }),
      blur: () => link?.send({ type: "blur" }),
      clear: () => link?.send({ type: "clear" }),
      collapse: () => undefined,
      request: (message) => {
        if (!link)
          throw new Error(
            "Invalid value for elements: it should have a mounted Payment Element or Express Checkout Element.",
          );
        return link.request(message);
      },
      restyle: (appearance) => link?.send({ type: "appearance", appearance }),
    };
    return element;
  }

  function createElements(key, { clientSecret, appearance = {}, fonts = [] } = {}) {
    if (!/^(?:pi|seti)_\w+_secret_\w+$/.test(clientSecret ?? ""))
      throw new Error(
        "In order to create a payment element, you must pass a valid PaymentIntent or SetupIntent client " +
          "secret e.g. pi_ABC_secret_XYZ",
      );
    const group = { key, clientSecret, appearance, fonts, element: undefined };
    return {
      group,
      create(type) {
        if (group.element) throw new Error("Can only create one Element of type payment");
        group.element = createElement(group, type);
        return group.element;
      },
      getElement: () => group.element ?? null,
      update(changes) {
        if (changes.appearance === undefined) return;
        group.appearance = changes.appearance;
        group.element?.restyle(changes.appearance);
      },
      fetchUpdates: async () => ({}),
      async submit() {
        const { error } = await group.element.request({ type: "validate" });
        return error ? { error } : { selectedPaymentMethod: "card" };
      },
      on: () => undefined,
      off: () => undefined,
    };
  }

  /** Shows the bank's confirmation in a dialog over the page. @returns the resulting intent */
  function authenticate(key, clientSecret) {
    const focused = document.activeElement;
    const shade = document.createElement("div");
    shade.setAttribute("role", "dialog");
    shade.setAttribute("aria-modal", "true");
    shade.setAttribute("aria-label", "Authentication");
    Object.assign(shade.style, {
      position: "fixed",
      inset: "0",
      zIndex: "2147483647",
      display: "grid",
      placeItems: "center",
      background: "rgb(0 0 0 / 55%)",
      padding: "16px",
    });
    return new Promise((resolve) => {
      const link = openFrame(
        `/elements/challenge?parent=${encodeURIComponent(location.origin)}`,
        "Authentication challenge",
        (message) => {
          if (message.type === "listening") link.send({ type: "open", clientSecret, key });
          if (message.type !== "done") return;
          link.close();
          shade.remove();
          focused?.focus?.();
          resolve(message.result);
        },
      );
      Object.assign(link.frame.style, {
        border: "0",
        width: "100%",
        maxWidth: "400px",
        height: "320px",
        borderRadius: "12px",
        background: "#fff",
      });
      shade.append(link.frame);
      document.body.append(shade);
      link.frame.focus();
    });
  }

  async function finish(key, kind, result, { redirect = "always", returnUrl }) {
    let settled = result;
    if (settled[kind]?.status === "requires_action") settled = await authenticate(key, settled[kind].client_secret);
    const intent = settled[kind];
    if (!intent || redirect === "if_required") return settled;
    const name = kind === "paymentIntent" ? "payment_intent" : "setup_intent";
    const target = new URL(returnUrl);
    target.searchParams.set(name, intent.id);
    target.searchParams.set(`${name}_client_secret`, intent.client_secret);
    target.searchParams.set("redirect_status", intent.status);
    location.assign(target);
    return new Promise(() => undefined);
  }

  async function retrieve(key, kind, clientSecret) {
    try {
      const answer = await fetch(
        `${ORIGIN}/browser/intent?client_secret=${encodeURIComponent(clientSecret)}&key=${encodeURIComponent(key)}`,
      );
      return await answer.json();
    } catch {
      return { error: { type: "api_connection_error", message: "An error occurred with our connection to Stripe." } };
    }
  }

  function Stripe(key) {
    if (!/^pk_test_\w+$/.test(key ?? ""))
      throw new Error(
        "Invalid value for Stripe(): apiKey should be a publishable test key; this script stands in for the real one.",
      );
    const confirm =
      (kind) =>
      async ({ elements, clientSecret, confirmParams = {}, redirect }) => {
        if (redirect !== "if_required" && !confirmParams.return_url)
          throw new Error("return_url is required unless redirect is if_required.");
        const secret = clientSecret ?? elements.group.clientSecret;
        if (secret.startsWith("seti_") !== (kind === "setupIntent"))
          throw new Error(`Invalid client secret for ${kind}.`);
        const result = await elements.group.element.request({ type: "confirm", clientSecret: secret });
        return finish(key, kind, result, { redirect, returnUrl: confirmParams.return_url });
      };
    const unsupported = (name) => async () => {
      throw new Error(`The stand-in has no ${name}.`);
    };
    return {
      elements: (options) => createElements(key, options),
      confirmPayment: confirm("paymentIntent"),
      confirmSetup: confirm("setupIntent"),
      retrievePaymentIntent: (clientSecret) => retrieve(key, "paymentIntent", clientSecret),
      retrieveSetupIntent: (clientSecret) => retrieve(key, "setupIntent", clientSecret),
      async handleNextAction({ clientSecret }) {
        const kind = clientSecret.startsWith("seti_") ? "setupIntent" : "paymentIntent";
        return finish(key, kind, await retrieve(key, kind, clientSecret), { redirect: "if_required" });
      },
      createToken: unsupported("createToken"),
      createPaymentMethod: unsupported("createPaymentMethod"),
      confirmCardPayment: unsupported("confirmCardPayment"),
      registerAppInfo: () => undefined,
      _registerWrapper: () => undefined,
    };
  }
  // The release name that the npm loader expects.
  Stripe.version = "endive";
  window.Stripe = Stripe;
})();
