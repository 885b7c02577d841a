import { ChakraProvider } from "@chakra-ui/react";
import { createRoot } from "react-dom/client";
import { expect, it, onTestFinished } from "vitest";
import { page, userEvent } from "vitest/browser";
import { system } from "../theme/theme.ts";
import { Tips } from "./Tips.tsx";

it("shows the tip of a button that had the focus before its script came", async () => {
  const button = document.createElement("button");
  button.dataset["tip"] = "Remove";
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  document.body.prepend(button);
  onTestFinished(() => {
    root.unmount();
    button.remove();
  });
  await userEvent.keyboard("{Tab}");
  await expect.element(page.getBySelector("button")).toHaveFocus();

  root.render(
    <ChakraProvider value={system}>
      <Tips />
    </ChakraProvider>,
  );
  await expect.element(page.getByRole("tooltip")).toMatchTextContent("Remove");
});
