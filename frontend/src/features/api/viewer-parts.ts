/**
 * Parts of the viewer that we draw ourselves, with its own React. Its layout has a main part of its own, but the page has
 * one already; its path of a call is a link inside the button that opens the call; and its heading of the webhooks is of
 * another level than those of the other groups.
 */
import type { ViewerSystem } from "swagger-ui-dist/swagger-ui-es-bundle.js";

export const LAYOUT = "PartOfPage";

interface PartProps {
  readonly getComponent: (name: string, isContainer?: true) => unknown;
}

interface PathProps {
  readonly operationProps: { readonly toObject: () => { readonly path: string } };
}

interface WebhooksProps extends PartProps {
  readonly specSelectors: { readonly selectWebhooksOperations: () => Readonly<Record<string, readonly Operation[]>> };
}

interface Operation {
  readonly operation: unknown;
  readonly method: string;
  readonly specPath: readonly string[];
}

export const viewerParts = ({ React: { createElement }, Im }: ViewerSystem) => ({
  components: {
    [LAYOUT]: ({ getComponent }: PartProps) =>
      createElement(
        "div",
        { className: "swagger-ui" },
        createElement(getComponent("SvgAssets"), null),
        createElement(getComponent("InfoContainer", true), null),
        // The groups below it are headings of the third level.
        createElement("h2", null, "Calls"),
        ...["operations", "Webhooks", "Models"].map((name) =>
          createElement("div", { key: name, className: "wrapper" }, createElement(getComponent(name, true), null)),
        ),
      ),

    OperationSummaryPath: ({ operationProps }: PathProps) => {
      const { path } = operationProps.toObject();
      return createElement("span", { className: "opblock-summary-path", "data-path": path }, path);
    },

    Webhooks: ({ specSelectors, getComponent }: WebhooksProps) =>
      createElement(
        "div",
        { className: "webhooks" },
        createElement("h3", { className: "opblock-tag" }, "Webhooks"),
        ...Object.entries(specSelectors.selectWebhooksOperations()).flatMap(([path, operations]) =>
          operations.map(({ operation, method, specPath }) =>
            createElement(getComponent("OperationContainer", true), {
              key: path,
              op: operation,
              tag: "webhooks",
              method,
              path,
              specPath: Im.List(specPath),
              allowTryItOut: false,
            }),
          ),
        ),
      ),
  },
});
