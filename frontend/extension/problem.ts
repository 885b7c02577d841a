/** What a press of the button shows when something has failed. */
import { browser } from "./browser.ts";
import { elementOf, fillPage } from "./fill-page.ts";
import { Problems, type Message } from "./messages.ts";
import { ownTexts } from "./texts/own-texts.ts";

const ask = async (message: Message): Promise<unknown> => await browser.runtime.sendMessage(message);

function lineOf({ link, sentence }: Problems[number]): HTMLLIElement {
  const line = document.createElement("li");
  const address = document.createElement("span");
  address.textContent = link;
  address.dir = "ltr";
  // The server's sentences are English.
  const words = document.createElement("bdi");
  words.textContent = sentence;
  line.append(words, address);
  return line;
}

async function open(): Promise<void> {
  fillPage("problem", ownTexts());
  const problems = Problems.parse(await ask({ ask: "problems" }));
  elementOf("problems", HTMLUListElement).replaceChildren(...problems.map(lineOf));
  const pages = problems.map(({ link, format }) => ({ link, format }));
  elementOf("retry", HTMLButtonElement).addEventListener("click", () => {
    void ask({ ask: "convert", pages }).then(() => window.close());
  });
  elementOf("settings", HTMLButtonElement).addEventListener("click", () => {
    void browser.runtime.openOptionsPage().then(() => window.close());
  });
}

void open();
