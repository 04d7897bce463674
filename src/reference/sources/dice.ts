// `dice.rolled`: a feed that only emits, with a filter that must be given. The same seed rolls the same dice.
import { createHash } from "node:crypto";
import { type Clock, repeat } from "../clock.ts";
import { Feed } from "../feed.ts";
import type { EventArguments, SourceType, TypeDescriptor } from "../source.ts";

const SIDES = [4, 6, 8, 12, 20];
const TABLES = ["red", "green", "blue"];

const DESCRIPTOR: TypeDescriptor = {
	name: "dice.rolled",
	description:
		"A die was rolled at one of three tables. Say which dice or which table to hear of.",
	delivery: ["poll", "push"],
	inputSchema: {
		type: "object",
		properties: {
			sides: { type: "integer", enum: SIDES, description: "Only such dice" },
			table: { type: "string", enum: TABLES, description: "Only this table" },
			atLeast: {
				type: "integer",
				minimum: 1,
				description: "Only rolls of this value or more",
			},
		},
		anyOf: [{ required: ["sides"] }, { required: ["table"] }],
		additionalProperties: false,
		examples: [{ sides: 6 }, { table: "red", atLeast: 3 }],
	},
	payloadSchema: {
		type: "object",
		properties: {
			roll: { type: "integer", minimum: 1 },
			table: { type: "string", enum: TABLES },
			sides: { type: "integer", enum: SIDES },
			value: { type: "integer", minimum: 1, maximum: 20 },
		},
		required: ["roll", "table", "sides", "value"],
	},
};

interface Roll {
	roll: number;
	table: string;
	sides: number;
	value: number;
}

export interface DiceOptions {
	clock: Clock;
	seed: string;
	epoch: string;
	maxEvents: number;
	/** From one roll to the next. */
	rollEveryMs: number;
}

/** Rolls from now on; `close` ends it. */
export function openDice(options: DiceOptions): {
	type: SourceType;
	close(): void;
} {
	const { clock, seed, epoch, maxEvents } = options;
	const feed = new Feed<Roll>({ clock, epoch, maxEvents });
	let count = 0;
	const close = repeat(clock, options.rollEveryMs, () => {
		const roll = rollDice(seed, ++count);
		feed.emit(
			(sequence) => ({
				eventId: `roll-${epoch}-${sequence}`,
				name: DESCRIPTOR.name,
				at: clock.now(),
				dataText: JSON.stringify(roll),
			}),
			roll,
		);
	});
	return {
		type: {
			descriptor: DESCRIPTOR,
			head: () => feed.head(),
			read: (request) =>
				feed.read(request, (roll) => fits(roll, request.arguments)),
			watch: (_args, wake) => feed.watch(wake),
		},
		close,
	};
}

function rollDice(seed: string, roll: number): Roll {
	const chance = createHash("sha256").update(`${seed}/${roll}`).digest();
	const sides = SIDES[chance.readUInt32BE(0) % SIDES.length] ?? 6;
	const table = TABLES[chance.readUInt32BE(4) % TABLES.length] ?? "red";
	return { roll, table, sides, value: (chance.readUInt32BE(8) % sides) + 1 };
}

function fits(roll: Roll, args: EventArguments): boolean {
	if (args.sides !== undefined && args.sides !== roll.sides) return false;
	if (args.table !== undefined && args.table !== roll.table) return false;
	return typeof args.atLeast !== "number" || roll.value >= args.atLeast;
}
