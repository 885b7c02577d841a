/** The page of options: tries server and token before it keeps them. */
import { User } from "../../common/api.ts";
import { readAnswer, Refusal, send, type Account } from "../api-client/api-call.ts";
import { isOpenToReaders, readServerAddress } from "../api-client/server-address.ts";
import { browser } from "./browser.ts";
import { ExtensionFormat } from "./extension-format.ts";
import { elementOf, fillPage } from "./fill-page.ts";
import { permissionFor, readSettings, writeSettings } from "./settings.ts";
import { ownTexts } from "./texts/own-texts.ts";

const texts = ownTexts();
const own = texts.pages.options;
const form = elementOf("form", HTMLFormElement);
const server = elementOf("server", HTMLInputElement);
const token = elementOf("token", HTMLInputElement);
const dashboard = elementOf("dashboard", HTMLAnchorElement);
const save = elementOf("save", HTMLButtonElement);
const outcome = elementOf("outcome", HTMLParagraphElement);

function tell(text: string, isBad = false): void {
  outcome.textContent = text;
  outcome.toggleAttribute("data-bad", isBad);
}

function linkDashboard(): void {
  const origin = readServerAddress(server.value);
  dashboard.hidden = server.value.trim() === "" || origin === undefined;
  if (origin !== undefined) dashboard.href = `${origin}/dashboard`;
}

const chosenFormat = (): ExtensionFormat => ExtensionFormat.parse(new FormData(form).get("format"));

/** @throws Refusal */
async function greet(account: Account): Promise<string> {
  const answer = await send(account, "/api/auth/user");
  if (!(answer instanceof Response)) throw new Refusal(answer.sentence ?? texts.noServer(account.server));
  const user = await readAnswer(answer, User, account.server);
  return own.saved(user.firstName ?? user.email ?? "");
}

async function keep(): Promise<void> {
  const origin = readServerAddress(server.value);
  if (origin === undefined) return tell(own.noAddress, true);
  const settings = { server: origin, token: token.value.trim(), format: chosenFormat() };
  // First of all: browsers ask only in answer to a press.
  if (!(await browser.permissions.request(permissionFor(origin)))) return tell(own.needsPermission, true);
  const greeting = await greet(settings);
  await writeSettings(settings);
  server.value = origin;
  tell(isOpenToReaders(origin) ? `${greeting} ${own.openToReaders}` : greeting);
}

async function submit(): Promise<void> {
  save.disabled = true;
  tell("");
  try {
    await keep();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    tell(error.message, true);
  } finally {
    save.disabled = false;
  }
}

async function open(): Promise<void> {
  fillPage("options", texts);
  const settings = await readSettings();
  if (settings) {
    server.value = settings.server;
    token.value = settings.token;
    for (const choice of form.querySelectorAll<HTMLInputElement>("[name=format]"))
      choice.checked = choice.value === settings.format;
  }
  linkDashboard();
  server.addEventListener("input", linkDashboard);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void submit();
  });
}

void open();
