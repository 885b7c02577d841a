// The card fields in their own frame: validates them and sends them to the stand-in only.
import { get, listenToPage, post, tellPage } from "./frame.js";

const fields = {
  number: document.querySelector("#number"),
  expiry: document.querySelector("#expiry"),
  cvc: document.querySelector("#cvc"),
};
const form = document.querySelector("form");
const INCOMPLETE = {
  number: ["incomplete_number", "Your card number is incomplete."],
  expiry: ["incomplete_expiry", "Your card's expiration date is incomplete."],
  cvc: ["incomplete_cvc", "Your card's security code is incomplete."],
};
const digits = (field) => field.value.replaceAll(/\D/g, "");
const isAmex = () => /^3[47]/.test(digits(fields.number));
let key = "";

function group(text, sizes) {
  let start = 0;
  return sizes.flatMap((size) => (start < text.length ? [text.slice(start, (start += size))] : [])).join(" ");
}

function isLuhn(number) {
  return (
    number
      .split("")
      .toReversed()
      .reduce(
        (sum, digit, place) => sum + ((value) => (value > 9 ? value - 9 : value))(digit * (place % 2 === 1 ? 2 : 1)),
        0,
      ) %
      10 ===
    0
  );
}

function expiry() {
  const typed = digits(fields.expiry);
  return { expMonth: Number(typed.slice(0, 2)), expYear: 2000 + Number(typed.slice(2)) };
}

/** @returns code and message of the problem of a field, or null */
function problemOf(name) {
  const typed = digits(fields[name]);
  const needed = { number: isAmex() ? 15 : 16, expiry: 4, cvc: isAmex() ? 4 : 3 }[name];
  if (typed.length < needed) return INCOMPLETE[name];
  if (name === "number" && !isLuhn(typed)) return ["invalid_number", "Your card number is invalid."];
  if (name !== "expiry") return null;
  const { expMonth, expYear } = expiry();
  if (expMonth < 1 || expMonth > 12) return ["invalid_expiry_month", "Your card's expiration date is invalid."];
  const ends = new Date(expYear, expMonth, 1);
  return ends <= new Date() ? ["invalid_expiry_year_past", "Your card's expiration year is in the past."] : null;
}

function show(name, problem) {
  fields[name].setAttribute("aria-invalid", String(problem !== null));
  document.querySelector(`#${name}-problem`).textContent = problem?.[1] ?? "";
  resize();
}

function validate() {
  let first = null;
  for (const name of Object.keys(fields)) {
    const problem = problemOf(name);
    show(name, problem);
    if (problem && !first) {
      first = { type: "validation_error", code: problem[0], message: problem[1] };
      fields[name].focus();
    }
  }
  return first ? { error: first } : {};
}

function resize() {
  tellPage({ type: "height", heightPx: Math.ceil(document.documentElement.getBoundingClientRect().height) });
}

const PROPERTIES = {
  colorPrimary: "--primary",
  colorBackground: "--background",
  colorText: "--text",
  colorTextSecondary: "--secondary",
  colorTextPlaceholder: "--placeholder",
  colorDanger: "--danger",
  fontFamily: "--font",
  fontSizeBase: "--size",
  borderRadius: "--radius",
  spacingUnit: "--unit",
};
const SELECTORS = {
  ".Input": ".Input",
  ".Input:focus": ".Input:focus",
  ".Input::placeholder": ".Input::placeholder",
  ".Input--invalid": '.Input[aria-invalid="true"]',
  ".Label": ".Label",
  ".Error": ".Error",
};

/** Applies the variables and common rules of the appearance, each as a single CSS value, so that none can add rules. */
function applyAppearance({ theme = "stripe", variables = {}, rules = {}, labels } = {}) {
  const root = document.documentElement;
  root.dataset.theme = theme;
  root.dataset.labels = labels ?? "above";
  for (const [name, property] of Object.entries(PROPERTIES))
    if (variables[name] !== undefined) root.style.setProperty(property, variables[name]);
  const sheet = new CSSStyleSheet();
  for (const [selector, declarations] of Object.entries(rules)) {
    if (!(selector in SELECTORS)) continue;
    const { style } = sheet.cssRules[sheet.insertRule(`${SELECTORS[selector]} {}`, sheet.cssRules.length)];
    for (const [name, value] of Object.entries(declarations))
      style.setProperty(
        name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
        value,
      );
  }
  document.adoptedStyleSheets = [sheet];
  resize();
}

fields.number.addEventListener("input", () => {
  fields.number.value = group(digits(fields.number).slice(0, isAmex() ? 15 : 16), isAmex() ? [4, 6, 5] : [4, 4, 4, 4]);
});
fields.expiry.addEventListener("input", (event) => {
  const typed = digits(fields.expiry)
    .replace(/^([2-9])/, "0$1")
    .slice(0, 4);
  const isDeleting = event.inputType?.startsWith("delete") === true;
  fields.expiry.value =
    typed.length > 2 || (typed.length === 2 && !isDeleting) ? `${typed.slice(0, 2)} / ${typed.slice(2)}` : typed;
});
fields.cvc.addEventListener("input", () => {
  fields.cvc.value = digits(fields.cvc).slice(0, 4);
});
for (const [name, field] of Object.entries(fields)) {
  field.addEventListener("input", () => {
    if (field.getAttribute("aria-invalid") === "true") show(name, problemOf(name));
    const names = Object.keys(fields);
    tellPage({
      type: "change",
      isEmpty: names.every((one) => fields[one].value === ""),
      isComplete: names.every((one) => problemOf(one) === null),
    });
  });
  field.addEventListener("blur", () => field.value !== "" && show(name, problemOf(name)));
  field.addEventListener("focus", () => tellPage({ type: "focus" }));
  field.addEventListener("keydown", (event) => event.key === "Escape" && tellPage({ type: "escape" }));
}
form.addEventListener("submit", (event) => event.preventDefault());

listenToPage({
  async open({ clientSecret, key: given, appearance, fonts }) {
    key = given;
    for (const { family, src, ...descriptors } of fonts) document.fonts.add(new FontFace(family, src, descriptors));
    applyAppearance(appearance);
    const answer = await get(
      `/browser/intent?client_secret=${encodeURIComponent(clientSecret)}&key=${encodeURIComponent(key)}`,
    );
    if (answer.error) {
      tellPage({ type: "loaderror", error: answer.error });
      return;
    }
    form.hidden = false;
    resize();
    tellPage({ type: "ready" });
  },
  appearance: ({ appearance }) => applyAppearance(appearance),
  validate,
  focus: () => fields.number.focus(),
  blur: () => document.activeElement?.blur(),
  clear() {
    for (const field of Object.values(fields)) field.value = "";
  },
  async confirm({ clientSecret }) {
    const refusal = validate();
    if (refusal.error) return refusal;
    return await post("/browser/confirm", {
      clientSecret,
      key,
      card: { number: digits(fields.number), cvc: digits(fields.cvc), ...expiry() },
    });
  },
});
