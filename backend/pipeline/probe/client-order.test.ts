import { describe, expect, it } from "vitest";
import { clientsToAsk, unknownClients } from "./client-order.ts";

const names = ["visionos", "tv_samsung", "web", "web_embedded", "mweb"];
const OCTOBER = { names, defaults: ["tv_samsung", "visionos", "web"] };
const WITHOUT_SCRIPTS = { names, defaults: ["visionos"] };

describe("clientsToAsk", () => {
  it.each([
    [["visionos", "default"], OCTOBER, ["visionos", "default,-visionos"]],
    [["visionos", "default,mweb"], OCTOBER, ["visionos", "default,mweb,-visionos"]],
    // After refused media.
    [["default", "visionos"], OCTOBER, ["default"]],
    // All that yt-dlp asks without a runtime for scripts has been asked.
    [["visionos", "default"], WITHOUT_SCRIPTS, ["visionos"]],
    [["tv_embedded", "default"], OCTOBER, ["default"]],
    [["tv_embedded,visionos", "default"], OCTOBER, ["visionos", "default,-visionos"]],
    [["visionos", "visionos,mweb"], OCTOBER, ["visionos", "mweb"]],
    [["default,-visionos", "visionos"], OCTOBER, ["default,-visionos", "visionos"]],
    [["tv_embedded", "tv_gone"], OCTOBER, ["default"]],
    [["visionos", "default"], undefined, ["visionos", "default"]],
  ])("of %j, asks a client that %j knows once: %j", (order, known, asks) => {
    expect(clientsToAsk(order, known).map((choice) => choice.asks)).toEqual(asks);
  });

  it.each([
    [["visionos", "default"], OCTOBER, ["visionos"], ["default,-visionos", "visionos"]],
    [["visionos", "default,mweb"], OCTOBER, ["visionos"], ["default,mweb,-visionos", "visionos"]],
    [["visionos", "default"], WITHOUT_SCRIPTS, ["visionos"], ["visionos"]],
    [["visionos", "visionos,mweb"], OCTOBER, ["visionos"], ["visionos,mweb"]],
    [["default", "visionos"], OCTOBER, ["default"], ["visionos", "default,-visionos"]],
    [["visionos", "default"], OCTOBER, ["visionos", "default"], ["visionos", "default,-visionos"]],
    [["visionos", "mweb"], undefined, ["visionos"], ["mweb", "visionos"]],
  ])("of %j, asks last, of those that %j knows, %j: %j", (order, known, failing, asks) => {
    expect(clientsToAsk(order, known, new Set(failing)).map((choice) => choice.asks)).toEqual(asks);
  });

  it("names each choice as it stands in the order", () => {
    expect(clientsToAsk(["visionos", "default"], OCTOBER).map(({ client }) => client)).toEqual(["visionos", "default"]);
  });
});

it("names the clients that yt-dlp does not know, once", () => {
  const order = ["tv_embedded,visionos", "default,-tv_embedded", "tv_gone", "all"];
  expect(unknownClients(order, names)).toEqual(["tv_embedded", "tv_gone"]);
});
