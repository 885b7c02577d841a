import { listenToPage, post, tellPage } from "./frame.js";

// The bank's question: did you mean to pay?
const buttons = document.querySelectorAll("button");
let opened;

async function answer(isPassed) {
  for (const button of buttons) button.disabled = true;
  tellPage({ type: "done", result: await post("/browser/authenticate", { ...opened, isPassed }) });
}

for (const button of buttons) button.addEventListener("click", () => void answer(button.value === "complete"));

listenToPage({
  open(secrets) {
    opened = secrets;
    for (const button of buttons) button.disabled = false;
    buttons[0].focus();
  },
});
