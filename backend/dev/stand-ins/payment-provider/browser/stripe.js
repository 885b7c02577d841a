// Stands in for the provider's browser script: the Payment Element in a frame of its own, and what
// confirms a secret. Card data stay in that frame; this script, which runs in the page, never sees them.
(() => {
  const ORIGIN = new URL(document.currentScript.src).origin;
  const FRAME_TITLE = "Secure payment input frame";
  let frames = 0;

  /** A frame of the stand-in and a way to talk with it: each question has one answer. */
  function openFrame(path, title, onMessage) {
    const frame = document.createElement("iframe");
    frames += 1;
    frame.name = `__privateStripeFrame${frames}`;
    frame.title = title;
    frame.src = `${ORIGIN}${path}`;
    const waiting = new Map();
    let asked = 0;
    function listen(event) {
      if (event.origin !== ORIGIN || event.source !== frame.contentWindow) return;
      const { answerTo, ...message } = event.data;
      if (answerTo === undefined) return onMessage(message);
      waiting.get(answerTo)?.(message);
      waiting.delete(answerTo);
    }
    window.addEventListener("message", listen);
    return {
      frame,
      tell: (message) => frame.contentWindow?.postMessage(message, ORIGIN),
      ask: (message) =>
        new Promise((resolve) => {
          asked += 1;
          waiting.set(asked, resolve);
          frame.contentWindow?.postMessage({ ...message, question: asked }, ORIGIN);
        }),
      close() {
        window.removeEventListener("message", listen);
        frame.remove();
      },
    };
  }

  function createElement(group, type) {
    if (type !== "payment") throw new Error(`The stand-in has no ${type} element.`);
    const listeners = new Map();
    let link;
    const emit = (name, event) => listeners.get(name)?.forEach((listener) => listener(event));
    function hear(message) {
      if (message.type === "height") link.frame.style.height = `${message.heightPx}px`;
      else if (message.type === "listening")
        link.tell({ type: "open", clientSecret: group.clientSecret, key: group.key, appearance: group.appearance });
      else if (message.type === "ready") emit("ready", { elementType: type });
      else if (message.type === "loaderror") emit("loaderror", { elementType: type, error: message.error });
      else if (message.type === "change")
        emit("change", {
          elementType: type,
          empty: message.isEmpty,
          complete: message.isComplete,
          collapsed: false,
          value: { type: "card" },
        });
      else if (message.type === "focus" || message.type === "blur" || message.type === "escape")
        emit(message.type, { elementType: type });
    }
    const element = {
      on(name, listener) {
        listeners.set(name, [...(listeners.get(name) ?? []), listener]);
        return element;
      },
      once(name, listener) {
        const heard = (event) => {
          element.off(name, heard);
          listener(event);
        };
        return element.on(name, heard);
      },
      off(name, listener) {
        listeners.set(name, listener ? (listeners.get(name) ?? []).filter((one) => one !== listener) : []);
        return element;
      },
      mount(place) {
        const node = typeof place === "string" ? document.querySelector(place) : place;
        if (!node) throw new Error("The element to mount into is not there.");
        link = openFrame(`/elements/payment?parent=${encodeURIComponent(location.origin)}`, FRAME_TITLE, hear);
        Object.assign(link.frame.style, {
          border: "0",
          width: "100%",
          height: "216px",
          display: "block",
          colorScheme: "normal",
        });
        link.frame.allow = "payment *";
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
      focus: () => link?.tell({ type: "focus" }),
      blur: () => link?.tell({ type: "blur" }),
      clear: () => link?.tell({ type: "clear" }),
      collapse: () => undefined,
      ask: (message) => {
        if (!link)
          throw new Error(
            "Invalid value for elements: it should have a mounted Payment Element or Express Checkout Element.",
          );
        return link.ask(message);
      },
      restyle: (appearance) => link?.tell({ type: "appearance", appearance }),
    };
    return element;
  }

  function createElements(key, { clientSecret, appearance = {} } = {}) {
    if (!/^(?:pi|seti)_\w+_secret_\w+$/.test(clientSecret ?? ""))
      throw new Error(
        "In order to create a payment element, you must pass a valid PaymentIntent or SetupIntent client secret e.g. pi_ABC_secret_XYZ",
      );
    const group = { key, clientSecret, appearance, element: undefined };
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
        const { error } = await group.element.ask({ type: "validate" });
        return error ? { error } : { selectedPaymentMethod: "card" };
      },
      on: () => undefined,
      off: () => undefined,
    };
  }

  /** The person's bank asks in a dialog over the page; resolves with what became of the intent. */
  function authenticate(key, clientSecret) {
    const before = document.activeElement;
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
          if (message.type === "listening") link.tell({ type: "open", clientSecret, key });
          if (message.type !== "done") return;
          link.close();
          shade.remove();
          before?.focus?.();
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
        const result = await elements.group.element.ask({ type: "confirm", clientSecret: secret });
        return finish(key, kind, result, { redirect, returnUrl: confirmParams.return_url });
      };
    const absent = (name) => async () => {
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
      createToken: absent("createToken"),
      createPaymentMethod: absent("createPaymentMethod"),
      confirmCardPayment: absent("confirmCardPayment"),
      registerAppInfo: () => undefined,
      _registerWrapper: () => undefined,
    };
  }
  // The release that the npm loader expects beside a test key.
  Stripe.version = "endive";
  window.Stripe = Stripe;
})();
