// Stands between the sources and the server, so that an upstream can be made to fail for a moment, or to lose events.
// The server then does what it does for any source: nothing here writes to anybody.
import type { Clock } from "../clock.ts";
import type { Batch, EventArguments, SourceType } from "../source.ts";
import { createWakers, type Wakers } from "../wakers.ts";

interface Troubles {
	isFailing: boolean;
	/** How often events were lost; cursors from before the last time lead nowhere. */
	losses: number;
	wakers: Wakers;
}

const MARKED = /^lost(\d{1,6})\.(.*)$/s;
/** Long enough for every reader that is not held up to look once. */
const FAILURE_MS = 50;

export class Stage {
	readonly #clock: Clock;
	readonly #troubles = new Map<string, Troubles>();
	#cancels = new Set<() => void>();

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	/** Reads of the type fail for a moment. */
	fail(name: string): void {
		const troubles = this.#of(name);
		troubles.isFailing = true;
		troubles.wakers.wakeAll();
		const cancel = this.#clock.setTimer(() => {
			this.#cancels.delete(cancel);
			troubles.isFailing = false;
			troubles.wakers.wakeAll();
		}, FAILURE_MS);
		this.#cancels.add(cancel);
	}

	/** What the type has had so far is lost: every cursor of it is one from before a gap. */
	lose(name: string): void {
		const troubles = this.#of(name);
		troubles.losses++;
		troubles.wakers.wakeAll();
	}

	/** As after a restart. */
	reset(): void {
		this.close();
		this.#troubles.clear();
	}

	close(): void {
		for (const cancel of this.#cancels) cancel();
		this.#cancels.clear();
	}

	/** The type with such troubles as its name has. */
	wrap(type: SourceType): SourceType {
		const troubles = this.#of(type.descriptor.name);
		return {
			...type,
			head: async (args) => mark(await type.head(args), troubles),
			async read(request) {
				if (troubles.isFailing) throw new Error("the upstream failed");
				const { losses, cursor } = unmark(request.cursor);
				const batch = await type.read({ ...request, cursor });
				if (losses === troubles.losses) return markBatch(batch, troubles);
				return freshStart(await type.head(request.arguments), troubles);
			},
			watch(args: EventArguments, wake) {
				const leave = [troubles.wakers.add(wake), type.watch(args, wake)];
				return () => {
					for (const end of leave) end();
				};
			},
		};
	}

	#of(name: string): Troubles {
		let troubles = this.#troubles.get(name);
		if (!troubles) {
			troubles = { isFailing: false, losses: 0, wakers: createWakers() };
			this.#troubles.set(name, troubles);
		}
		return troubles;
	}
}

const mark = (cursor: string, { losses }: Troubles) =>
	losses === 0 ? cursor : `lost${losses}.${cursor}`;

function unmark(text: string): { losses: number; cursor: string } {
	const [, losses, cursor] = MARKED.exec(text) ?? [];
	if (losses === undefined || cursor === undefined)
		return { losses: 0, cursor: text };
	return { losses: Number(losses), cursor };
}

function markBatch(batch: Batch, troubles: Troubles): Batch {
	if (troubles.losses === 0) return batch;
	return {
		...batch,
		from: mark(batch.from, troubles),
		cursor: mark(batch.cursor, troubles),
		events: batch.events.map((event) => ({
			...event,
			cursor: mark(event.cursor, troubles),
		})),
	};
}

function freshStart(head: string, troubles: Troubles): Batch {
	const cursor = mark(head, troubles);
	return { from: cursor, events: [], cursor, hasMore: false, truncated: true };
}
