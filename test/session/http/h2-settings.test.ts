import { connect, type Socket } from "node:net";
import { expect, it } from "vitest";
import { readStreamLimit } from "../../../src/session/http/h2-settings.ts";
import { listenTcp } from "./harness.ts";

async function limitOf(bytes: number[] | undefined) {
	const { port } = await listenTcp((socket: Socket) => {
		if (bytes) socket.write(Buffer.from(bytes));
	});
	const socket = connect(port, "127.0.0.1");
	const limit = await readStreamLimit(socket);
	const kept: Buffer | null = socket.read();
	socket.destroy();
	return { limit, kept: [...(kept ?? [])] };
}

const settings = (...pairs: number[]) => [
	0,
	0,
	pairs.length,
	4,
	0,
	0,
	0,
	0,
	0,
	...pairs,
];

it.each([
	["100", settings(0, 3, 0, 0, 0, 100), 100],
	["3 behind another setting", settings(0, 4, 0, 1, 0, 0, 0, 3, 0, 0, 0, 3), 3],
	["0", settings(0, 3, 0, 0, 0, 0), 0],
	["4294967295", settings(0, 3, 255, 255, 255, 255), 0xffffffff],
	["nothing in an empty frame", settings(), undefined],
	[
		"nothing in a frame of another type",
		[0, 0, 6, 6, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 3],
		undefined,
	],
	["nothing in less than a frame", [0, 0, 6], undefined],
	[
		"nothing in a setting that is cut",
		[0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0],
		undefined,
	],
])(
	"a server's limit of streams is read as %s, and every byte is left",
	async (_what, bytes, expected) => {
		expect(await limitOf(bytes)).toEqual({ limit: expected, kept: bytes });
	},
);

it("a server that waits for us tells no limit", async () => {
	expect(await limitOf(undefined)).toEqual({ limit: undefined, kept: [] });
});
