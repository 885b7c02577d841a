// The card fields in their own frame: sends them to the stand-in only.
import { listenToPage, post, tellPage } from "./frame.js";

const digits = (name) => document.querySelector(`#${name}`).value.replaceAll(/\D/g, "");
const form = document.querySelector("form");

const PROPERTIES = {
  colorPrimary: "--primary",
  colorBackground: "--background",
  colorText: "--text",
  colorTextSecondary: "--secondary",
  colorTextPlaceholder: "--placeholder",
  fontFamily: "--font",
  fontSizeBase: "--size",
  borderRadius: "--radius",
};

/** Applies the variables and common rules of the appearance, each as a single CSS value, so that none can add rules. */
function applyAppearance({ variables, rules }) {
  for (const [name, property] of Object.entries(PROPERTIES))
    document.documentElement.style.setProperty(property, variables[name]);
  for (const selector of [".Input", ".Label"])
    for (const element of document.querySelectorAll(selector)) Object.assign(element.style, rules[selector]);
  tellPage({ type: "height", heightPx: Math.ceil(document.documentElement.getBoundingClientRect().height) });
}

form.addEventListener("submit", (event) => event.preventDefault());

listenToPage({
  async open({ clientSecret, key, appearance, fonts }) {
    for (const { family, src, ...descriptors } of fonts) document.fonts.add(new FontFace(family, src, descriptors));
    const { error } = await post("/browser/intent", { clientSecret, key });
    if (error) return tellPage({ type: "loaderror", error });
    form.hidden = false;
    applyAppearance(appearance);
    tellPage({ type: "ready" });
  },
  appearance: ({ appearance }) => applyAppearance(appearance),
  async confirm({ clientSecret, key }) {
    const expiry = digits("expiry");
    const card = {
      number: digits("number"),
      expMonth: Number(expiry.slice(0, 2)),
      expYear: 2000 + Number(expiry.slice(2)),
    };
    tellPage({ type: "confirmed", result: await post("/browser/confirm", { clientSecret, key, card }) });
  },
});
