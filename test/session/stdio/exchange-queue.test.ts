import { describe, expect, it } from "vitest";
import { parseMessage } from "../../../src/protocol/index.ts";
import { Backlog } from "../../../src/session/stdio/backlog.ts";
import { createExchangeQueue } from "../../../src/session/stdio/exchange-queue.ts";

const notice = parseMessage(Buffer.from('{"jsonrpc":"2.0","method":"n"}'));
const response = parseMessage(
	Buffer.from('{"jsonrpc":"2.0","id":1,"result":{}}'),
);

function openQueue(isTimed: boolean) {
	const share = new Backlog().open();
	return { queue: createExchangeQueue({ id: 1, isTimed, share }), share };
}

describe("what one exchange has received", () => {
	it("is handed over in one batch, then the end", async () => {
		const { queue, share } = openQueue(true);
		for (const message of [notice, response, notice]) queue.push(message);
		expect(share.bytes).toBe(notice.bytes.length + response.bytes.length);
		expect(await queue.take()).toEqual([notice, response]);
		expect(share.bytes).toBe(0);
		expect(await queue.take()).toBeUndefined();
	});

	it("is waited for", async () => {
		const { queue } = openQueue(false);
		const taken = queue.take();
		queue.push(notice);
		queue.wake();
		expect(await taken).toEqual([notice]);
	});

	it.each([
		["after what came before it", false, [notice]],
		["at once where it is aborted", true, undefined],
	])("ends with an error %s", async (_, now, first) => {
		const { queue } = openQueue(false);
		queue.push(notice);
		queue.fail(new Error("over"), now);
		queue.push(notice);
		if (first) expect(await queue.take()).toEqual(first);
		await expect(queue.take()).rejects.toThrow("over");
	});
});
