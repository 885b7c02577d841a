import { expect, it } from "vitest";
import { testInfo } from "../../dev/testing/test-info.ts";
import { TIERS, type Tier } from "../../../common/tiers.ts";
import type { VideoInfo } from "../probe/info.ts";
import type { EncodePlan } from "./encode-plan.ts";
import { findShortfall } from "./shortfall.ts";

interface Picture {
  readonly width: number;
  readonly height: number;
  readonly isRotated?: true;
  /** Of the shorter side, after an encode. */
  readonly encodedLines?: number;
}

function planOf({ width, height, isRotated, encodedLines }: Picture): EncodePlan {
  const stream = {
    index: 0,
    codec: "h264",
    pixelFormat: "yuv420p",
    widthPixels: width,
    heightLines: height,
    isRotated,
  };
  const video =
    encodedLines === undefined
      ? ({ source: 0, stream, method: "copy" } as const)
      : ({ source: 0, stream, method: "encode", heightLines: encodedLines, maxBitrateKbps: undefined } as const);
  return { format: "mp4", durationSeconds: 60, video };
}

function offerOf(lines: readonly number[]): VideoInfo {
  return testInfo(undefined, ...lines.map((heightLines) => ({ heightLines })));
}

it.each<[string, Tier, Picture, readonly number[], string | undefined]>([
  ["as many lines as the plan allows", "free", { width: 854, height: 480 }, [360, 480, 720], undefined],
  ["fewer lines than the plan allows", "free", { width: 640, height: 360 }, [240, 360], "site 360"],
  ["fewer lines for Pro", "pro", { width: 1280, height: 720 }, [360, 720], "site 720"],
  ["just enough lines", "pro", { width: 1690, height: 951 }, [951], undefined],
  ["just too few lines", "pro", { width: 1689, height: 950 }, [950], "site 950"],
  ["a wide picture of full width", "pro", { width: 1920, height: 804 }, [804], undefined],
  ["a wide picture of less width", "pro", { width: 1280, height: 536 }, [536], "site 720"],
  ["a portrait picture of the plan's width", "pro", { width: 1080, height: 1920 }, [608, 1080], undefined],
  ["a portrait picture of less width", "pro", { width: 608, height: 1080 }, [608, 1080], "codec 608"],
  ["an encoded portrait picture", "free", { width: 1080, height: 1920, encodedLines: 480 }, [1080], undefined],
  ["a size above the plan", "pro", { width: 480, height: 854 }, [480, 1440], "site_within_plan 480"],
  ["a size between that needs an encode", "pro", { width: 854, height: 480 }, [480, 1080], "codec 480"],
  ["a taller size and one above the plan", "free", { width: 426, height: 240 }, [240, 360, 720], "codec 240"],
  ["a picture that is turned", "pro", { width: 1920, height: 1080, isRotated: true }, [1920], undefined],
  ["an encoded picture", "pro", { width: 640, height: 480, encodedLines: 480 }, [480], "site 480"],
  ["an offer that states no lines", "pro", { width: 640, height: 360 }, [], "site 360"],
])("names the reason for %s", (_, tier, picture, lines, expected) => {
  const found = findShortfall(planOf(picture), offerOf(lines), TIERS[tier]);
  expect(found && `${found.reason} ${found.heightLines}`).toBe(expected);
});

it("has nothing to say of a still picture", () => {
  const plan: EncodePlan = { format: "mp4", durationSeconds: 60, video: { method: "still" } };
  expect(findShortfall(plan, offerOf([]), TIERS.pro)).toBeUndefined();
});
