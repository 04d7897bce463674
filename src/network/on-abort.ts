// Many that wait for one signal, behind one listener: Node walks through all listeners of a signal to add or to remove one,
// and warns of more than ten.

const hubs = new WeakMap<AbortSignal, Hub>();

interface Hub {
	acts: Set<() => void>;
	close(): void;
}

/** Calls `act` when the signal, which has not aborted yet, does; returns the way to call it off. `act` must not throw. */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
	const hub = hubs.get(signal) ?? openHub(signal);
	hub.acts.add(act);
	return () => {
		if (hub.acts.delete(act) && hub.acts.size === 0) hub.close();
	};
}

function openHub(signal: AbortSignal): Hub {
	const acts = new Set<() => void>();
	const abort = () => {
		hub.close();
		for (const act of acts) act();
	};
	const hub = {
		acts,
		close() {
			hubs.delete(signal);
			signal.removeEventListener("abort", abort);
		},
	};
	hubs.set(signal, hub);
	signal.addEventListener("abort", abort);
	return hub;
}
