import { expect, it } from "vitest";
import { intentLink, savingAppOf } from "./saving-app.ts";

const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";
const ANDROID = "Mozilla/5.0 (Linux; Android 15; Pixel 8 Build/AP4A; wv) AppleWebKit/537.36 (KHTML, like Gecko)";
const CHROME = "Version/4.0 Chrome/138.0.0.0 Mobile Safari/537.36";

it.each([
  ["Instagram on an iPhone", `${IPHONE} Mobile/15E148 Instagram 300.0.0.29.110 (iPhone14,5; iOS 18_5)`, false],
  ["Facebook on an iPhone", `${IPHONE} Mobile/15E148 [FBAN/FBIOS;FBAV/512.0.0.49.108;FBBV/1]`, false],
  ["LINE on an iPhone", `${IPHONE} Mobile/15E148 Safari Line/15.8.0`, false],
  ["TikTok on an iPhone", `${IPHONE} Mobile/15E148 musical_ly_40.1.0 BytedanceWebview/d8a21c6`, false],
  ["a WebView", `${ANDROID} ${CHROME}`, true],
  ["Telegram on Android", `${ANDROID.replace("; wv", "")} ${CHROME} Telegram-Android/11.9 (Pixel 8)`, true],
])("%s is an app that saves nothing", (_, userAgent, isAndroid) => {
  expect(savingAppOf({ userAgent })).toEqual({ kind: "inside", isAndroid });
});

it.each([
  ["Safari", `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`],
  [
    "Chrome on Android, also as an installed app",
    `${ANDROID.replace("; wv", "")} Chrome/138.0.0.0 Mobile Safari/537.36`,
  ],
  ["Chrome on an iPhone", `${IPHONE} CriOS/138.0.7204.33 Mobile/15E148 Safari/604.1`],
  [
    "a desktop",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36",
  ],
  ["a timeline, which is no app", "Mozilla/5.0 Timeline Airline Outline"],
])("%s saves files itself", (_, userAgent) => {
  expect(savingAppOf({ userAgent })).toBeNull();
});

it("the site on the home screen of an iPhone shares its files", () => {
  expect(savingAppOf({ userAgent: IPHONE, standalone: true })).toEqual({ kind: "installed", isAndroid: false });
  expect(savingAppOf({ userAgent: `${IPHONE} Safari/604.1`, standalone: false })).toBeNull();
});

it("makes a link that Android opens in the browser, or else in the app", () => {
  expect(intentLink("https://deck.example/?text=https%3A%2F%2Fyoutu.be%2Fa&format=mp3")).toBe(
    "intent://deck.example/?text=https%3A%2F%2Fyoutu.be%2Fa&format=mp3#Intent;scheme=https;" +
      "action=android.intent.action.VIEW;category=android.intent.category.BROWSABLE;" +
      "S.browser_fallback_url=https%3A%2F%2Fdeck.example%2F%3Ftext%3Dhttps%253A%252F%252Fyoutu.be%252Fa%26format%3Dmp3;end",
  );
});
