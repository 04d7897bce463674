// How many streams may be open: of all callers, of one caller, and of one caller to one event type that says so.
import { Refusal } from "../refusal.ts";
import type { Settings } from "../settings.ts";
import type { SourceType } from "../source.ts";

export interface StreamPlaces {
	/** Streams open now. */
	readonly taken: number;
	/** A place for one more stream of the caller; returns the way to give it back. Refuses (ResourceExhausted). */
	take(limitKey: string): () => void;
	/** Beside it, one among the caller's streams of a type that bounds them. */
	takeOf(type: SourceType, limitKey: string): () => void;
}

export function createStreamPlaces({
	maxStreams,
	maxStreamsPerCaller,
}: Settings): StreamPlaces {
	const counts = new Map<string, number>();
	let taken = 0;

	function count(key: string, max: number): () => void {
		const open = counts.get(key) ?? 0;
		if (open >= max) throw exhausted(max);
		counts.set(key, open + 1);
		return () => {
			const left = (counts.get(key) ?? 1) - 1;
			if (left > 0) counts.set(key, left);
			else counts.delete(key);
		};
	}

	return {
		get taken() {
			return taken;
		},
		take(limitKey) {
			if (taken >= maxStreams) throw exhausted(maxStreams);
			const leave = count(limitKey, maxStreamsPerCaller);
			taken++;
			return () => {
				taken--;
				leave();
			};
		},
		takeOf({ descriptor, maxStreamsPerCaller: max }, limitKey) {
			if (max === undefined) return () => {};
			return count(`${limitKey} ${descriptor.name}`, max);
		},
	};
}

const exhausted = (max: number) =>
	new Refusal("ResourceExhausted", "too many streams are open", {
		data: { limit: "streams", max },
	});
