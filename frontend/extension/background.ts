/** The background of the extension: the button, and what goes on behind it. Browsers stop and start it as they like. */
import { Alarm } from "./alarm.ts";
import { browser } from "./browser.ts";
import { buttonOf } from "./button.ts";
import { Converter } from "./converter.ts";
import { isPending, type State } from "./conversions.ts";
import { Message } from "./messages.ts";
import { Settings, SETTINGS_KEY } from "./settings.ts";
import { StateStore } from "./state-store.ts";
import { ownTexts } from "./texts/own-texts.ts";

const texts = ownTexts();
const alarm = new Alarm();

async function show(state: State): Promise<void> {
  const { badge, color, textColor, title, popup } = buttonOf(state, texts);
  await Promise.all([
    browser.action.setBadgeText({ text: badge }),
    browser.action.setBadgeBackgroundColor({ color }),
    browser.action.setBadgeTextColor({ color: textColor }),
    browser.action.setTitle({ title }),
    browser.action.setPopup({ popup }),
    alarm.set(state.conversions.some(isPending)),
  ]);
}

const store = new StateStore(show);
const converter = new Converter(store, texts);

browser.action.onClicked.addListener((tab) => void converter.press(tab));
browser.alarms.onAlarm.addListener(() => void converter.goOn());
browser.runtime.onMessage.addListener((message, _sender, answer) => {
  const asked = Message.safeParse(message).data;
  if (asked?.ask === "problems") void converter.takeProblems().then(answer);
  else if (asked?.ask === "convert") void converter.convert(asked.pages).then(answer);
  return asked !== undefined;
});
browser.storage.onChanged.addListener((changes, area) => {
  const change = area === "local" ? changes[SETTINGS_KEY] : undefined;
  if (change === undefined) return;
  const [before, after] = [change.oldValue, change.newValue].map((value) => Settings.safeParse(value).data);
  void converter.useOtherAccount(before?.server !== after?.server);
});

// After a start of the background in the middle of its work.
void store.read().then(show);
void converter.goOn();
