import { join } from "node:path";
import { expect, it } from "vitest";
import { openShownMark } from "../../../src/program/follow/shown-mark.ts";
import { temporaryFolder } from "../../state/temporary-folder.ts";

type Act = (mark: ReturnType<typeof openShownMark>) => void;

it.each<[string, Act, object | undefined]>([
	["nothing", () => {}, undefined],
	[
		"what was shown",
		(mark) => mark.markShown("cap_2"),
		{ shown: "cap_2", doubtful: undefined },
	],
	[
		"that nothing was shown yet",
		(mark) => mark.markShown(undefined),
		{ shown: undefined, doubtful: undefined },
	],
	[
		"what was being shown",
		(mark) => mark.markLeaving("cap_2", "cap_1"),
		{ shown: "cap_2", doubtful: { after: "cap_1" } },
	],
	[
		"that the first ones were being shown",
		(mark) => mark.markLeaving("cap_2", undefined),
		{ shown: "cap_2", doubtful: { after: undefined } },
	],
])("tells the next run %s", (_what, act, first) => {
	const path = join(temporaryFolder(), "a.shown");
	act(openShownMark(path, expect.fail));
	expect(openShownMark(path, expect.fail).first).toEqual(first);
});
