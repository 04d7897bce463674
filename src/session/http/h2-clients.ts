// Many streams on few HTTP/2 connections. undici's own pool opens a connection for each request that comes while the
// first still connects, or, held to a number of them, lets the rest wait for ever; so the places are counted here.
import type { Client, Dispatcher } from "undici";

export interface H2Clients {
	request(options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData>;
	destroy(reason: Error): Promise<void>;
}

interface Seat {
	client: Client;
	/** Exchanges that have not ended. */
	taken: number;
}

/** Each client is one connection, opened by `openClient` when those before it carry `streamsEach` exchanges. */
export function makeH2Clients(
	openClient: () => Client,
	streamsEach: number,
): H2Clients {
	const seats: Seat[] = [];
	return {
		async request(options) {
			let seat = seats.find(({ taken }) => taken < streamsEach);
			if (!seat) {
				seat = { client: openClient(), taken: 0 };
				seats.push(seat);
			}
			const held = seat;
			held.taken++;
			const release = () => {
				held.taken--;
			};
			try {
				const answer = await held.client.request(options);
				answer.body.once("close", release);
				return answer;
			} catch (error) {
				release();
				throw error;
			}
		},
		async destroy(reason) {
			await Promise.all(seats.map(({ client }) => client.destroy(reason)));
		},
	};
}
