import { describe } from "vitest";
import { describeConversions } from "../../pipeline/convert.contract.ts";
import { leadConversions } from "./led-conversion.ts";
import { convertWithoutTools } from "./test-conversion.ts";

const linkOf = (page: string): string => `https://video.example/watch/${page}`;

describe("conversions without tools", () => {
  describeConversions(() => ({ convert: convertWithoutTools, linkOf }));
});

describe("conversions that a test leads", () => {
  const led = leadConversions(2_000);
  describeConversions(
    () => ({
      linkOf,
      async convert(request, listener, signal) {
        const made = led.convert(request, listener, signal);
        if (!signal.aborted && request.url !== linkOf("slow")) {
          const conversion = await led.next(request.url);
          await conversion.writeTo(1_000);
          await conversion.writeTo(1_500);
          await conversion.finish();
        }
        return await made;
      },
    }),
    false,
  );
});
