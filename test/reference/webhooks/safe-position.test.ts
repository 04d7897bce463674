// The cursor that a client stores never passes an event that it has not got: while an event fails and the next one is
// taken, over a restart, and over a kill in the middle.
import { copyFileSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openStorePath } from "./store-folder.ts";
import { openRoom, type Posted, type Room } from "./webhook-room.ts";

const positionOf = (cursor: string | null) => Number(cursor?.split(".").at(-1));
const cursorsOf = (posts: readonly Posted[]) =>
	posts.map(
		({ body }) => `${body.eventId ?? body.type} at ${positionOf(body.cursor)}`,
	);

/** Fails e2 always, and takes the rest. */
function failSecond(room: Room) {
	room.answer = ({ body }) => (body.eventId === "e2" ? 503 : 204);
}

describe("the cursor", () => {
	it("stays before a failing event, whatever is taken behind it, until it is given up", async () => {
		const room = await openRoom({
			choices: { retryDelaysMs: [1_000, 2_000], maxSendingPerSubscription: 1 },
		});
		await room.subscribe();
		failSecond(room);
		for (let n = 0; n < 3; n++) room.emit();
		await room.quiet();
		expect(cursorsOf(room.posts)).toEqual(["e1 at 1", "e2 at 2", "e3 at 1"]);
		const refreshed = async () => positionOf((await room.subscribe()).cursor);
		expect(await refreshed()).toBe(1);
		room.posts.length = 0;
		await room.advance(1_000);
		room.emit();
		await room.quiet();
		// If the second attempt at e2 is taken, all up to e3 is settled.
		expect(cursorsOf(room.posts)).toEqual(["e2 at 3", "e4 at 1"]);
		expect(await refreshed()).toBe(1);
		room.posts.length = 0;
		await room.advance(2_000);
		room.emit();
		await room.quiet();
		expect(cursorsOf(room.posts)).toEqual(["e2 at 4", "gap at 4", "e5 at 5"]);
		expect(await refreshed()).toBe(5);
	});

	it.each(["a proper end", "a kill"])(
		"is where it was after %s, and what was not taken is sent again",
		async (end) => {
			const storePath = openStorePath();
			const before = await openRoom({ storePath });
			const { id } = await before.subscribe({ ttlMs: null });
			failSecond(before);
			for (let n = 0; n < 4; n++) before.emit();
			await before.quiet();
			await before.advance(1_000);
			let left = storePath;
			if (end === "a kill") {
				left = `${storePath}.left`;
				await expect
					.poll(() => tryCopy(storePath, left))
					.toContain('"cursor":"v1.run1.1"');
			} else await before.webhooks.close();
			const after = await openRoom({ storePath: left, feed: before.feed });
			await after.quiet();
			expect(after.told()).toEqual(["e2", "e3", "e4"]);
			expect(
				after.posts.every(
					({ headers }) => headers["x-mcp-subscription-id"] === id,
				),
			).toBe(true);
			expect(after.handshakes).toEqual([]);
			expect((await after.subscribe({ ttlMs: null })).cursor).toBe("v1.run1.4");
		},
	);

	it("of a source that begins anew after a restart is told as a gap", async () => {
		const storePath = openStorePath();
		const before = await openRoom({ storePath });
		await before.subscribe({ ttlMs: 86_400_000 });
		before.emit();
		await before.quiet();
		await before.webhooks.close();
		const after = await openRoom({ storePath });
		after.feed.emit(
			() => ({ eventId: "new", name: "order.made", at: 0, dataText: "{}" }),
			undefined,
		);
		await after.quiet();
		expect(after.told()).toContain("gap");
	});
});

/** What a process would leave behind that was killed now. */
function tryCopy(from: string, to: string): string {
	copyFileSync(from, to);
	return readFileSync(to, "utf8");
}
