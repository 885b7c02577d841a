import { OperatorState } from "../../../common/operator.ts";
import type { TestDevice } from "./test-device.ts";

/** Looks at the operator's page until a pushed state fits. */
export async function untilOperatorSees(
  operator: TestDevice,
  fits: (state: OperatorState) => boolean,
): Promise<OperatorState> {
  const { socket } = await operator.live();
  const watch = () => operator.call("POST", "/api/operator/watch", {});
  await watch();
  return new Promise((resolve) => {
    const listener = (payload: unknown) => {
      const state = OperatorState.parse(payload);
      if (!fits(state)) {
        // As the page does: the server forgets who does not say again that they look.
        void watch();
        return;
      }
      socket.off("operator", listener);
      resolve(state);
    };
    socket.on("operator", listener);
  });
}
