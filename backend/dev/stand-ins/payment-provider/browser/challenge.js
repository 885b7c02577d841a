import { listenToPage, post, tellPage } from "./frame.js";

// The frame in which the bank asks the user to confirm a payment.
const buttons = document.querySelectorAll("button");
let opened;

async function answer(isPassed) {
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
