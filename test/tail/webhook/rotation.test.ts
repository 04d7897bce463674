// When secrets change, and when the loop that asks is to look again: never at once for nothing.
import { expect, it } from "vitest";
import type { Registration } from "../../../src/receiver/index.ts";
import { parseSecret } from "../../../src/signing/index.ts";
import { Rotation } from "../../../src/tail/webhook/rotation.ts";
import { SECRET_TEXT } from "../../fixtures/deliveries.ts";

const secretNamed = (label: string) => ({
	label,
	secret: parseSecret(SECRET_TEXT),
});

function openRotation(save: () => Promise<void> = async () => {}) {
	let made = 0;
	const registration: Registration = {
		label: "a.made",
		secrets: [secretNamed("current")],
		subscriptionId: "sub_1",
	};
	const newSecret = () => secretNamed(`rotation ${++made}`);
	const times = { newSecret, everyMs: 100, graceMs: 1_000 };
	return { registration, rotation: new Rotation(registration, times, save) };
}

it("waits for the next secret though one that gave way to newer ones would be over by now", async () => {
	const { registration, rotation } = openRotation();
	rotation.settle(0);
	for (let now = 100; now <= 2_000; now += 100) {
		await rotation.begin(now);
		rotation.settle(now);
		await rotation.expire(now + 1);
		expect(rotation.waitMs(now + 1)).toBe(99);
	}
	expect(registration.secrets).toHaveLength(4);
});

it("accepts a secret no longer than its grace time, and does not try for ever, where the memory cannot be written", async () => {
	let isFull = false;
	const { registration, rotation } = openRotation(async () => {
		if (isFull) throw new Error("no space left");
	});
	rotation.settle(0);
	await rotation.begin(100);
	rotation.settle(100);
	isFull = true;
	await expect(rotation.expire(1_100)).rejects.toThrow("no space left");
	// Only the next secret is waited for, and that has been due since 200.
	expect(rotation.isDue(1_100)).toBe(true);
	await rotation.expire(1_100);
	expect(registration.secrets.map(({ label }) => label)).toEqual([
		"rotation 1",
	]);
});
