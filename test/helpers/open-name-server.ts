// A DNS server on a free UDP port of 127.0.0.1. Its answers may be changed while it runs.
import { createSocket } from "node:dgram";
import { isIP } from "node:net";
import { onTestFinished } from "vitest";

/** Addresses of a name, or the name that it is an alias of; a name that is not listed does not exist. */
export type NameAnswers = Map<
	string,
	readonly string[] | "silence" | "failure"
>;

export interface NameServer {
	host: string;
	port: number;
	/** To be changed at will. Names in lower case. */
	answers: NameAnswers;
	/** Every question so far, as `A name` or `AAAA name`. */
	questions: string[];
	/** Questions of this type have no answer. */
	deafTo?: "A" | "AAAA";
}

const TYPES = { A: 1, CNAME: 5, AAAA: 28 } as const;
const NO_ERROR = 0;
const SERVER_FAILURE = 2;
const NO_SUCH_NAME = 3;

/** Answers until the test ends. */
export async function openNameServer(
	answers: Parameters<typeof startNameServer>[0] = {},
): Promise<NameServer> {
	const server = await startNameServer(answers);
	onTestFinished(() => server[Symbol.asyncDispose]());
	return server;
}

/** Answers until it is disposed of. */
export async function startNameServer(
	answers: Record<string, readonly string[] | "silence" | "failure">,
): Promise<NameServer & AsyncDisposable> {
	const socket = createSocket("udp4");
	const server: NameServer = {
		host: "127.0.0.1",
		port: 0,
		answers: new Map(Object.entries(answers)),
		questions: [],
	};
	socket.on("message", (query, from) => {
		const reply = answerQuery(query, server);
		if (reply) socket.send(reply, from.port, from.address);
	});
	await new Promise<void>((resolve) => socket.bind(0, server.host, resolve));
	server.port = socket.address().port;
	const close = () =>
		new Promise<void>((resolve) => socket.close(() => resolve()));
	return Object.assign(server, { [Symbol.asyncDispose]: close });
}

function answerQuery(query: Buffer, server: NameServer): Buffer | undefined {
	const { name, type, end } = readQuestion(query);
	const typeName = type === TYPES.A ? "A" : "AAAA";
	server.questions.push(`${typeName} ${name}`);
	const found = server.answers.get(name);
	if (found === "silence" || server.deafTo === typeName) return undefined;
	const known = Array.isArray(found) ? recordsOf(name, type, server) : [];
	const code =
		found === "failure" ? SERVER_FAILURE : found ? NO_ERROR : NO_SUCH_NAME;
	const header = Buffer.from(query.subarray(0, 12));
	header.writeUInt16BE(0x8180 | code, 2);
	header.writeUInt16BE(known.length, 6);
	// No additional records: the query may have had one.
	header.writeUInt32BE(0, 8);
	return Buffer.concat([header, query.subarray(12, end), ...known]);
}

function readQuestion(query: Buffer) {
	const labels: string[] = [];
	let at = 12;
	for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
		labels.push(query.toString("latin1", at + 1, at + 1 + length));
		at += 1 + length;
	}
	const type = query.readUInt16BE(at + 1);
	return { name: labels.join(".").toLowerCase(), type, end: at + 5 };
}

/** The records of a name, and of what it is an alias of. */
function recordsOf(name: string, type: number, server: NameServer): Buffer[] {
	const values = server.answers.get(name);
	if (!Array.isArray(values)) return [];
	return values.flatMap((value: string) => {
		const family = isIP(value);
		if (family === 0)
			return [
				record(name, TYPES.CNAME, nameBytes(value)),
				...recordsOf(value, type, server),
			];
		const ownType = family === 6 ? TYPES.AAAA : TYPES.A;
		return ownType === type ? [record(name, type, addressBytes(value))] : [];
	});
}

function record(name: string, type: number, data: Buffer): Buffer {
	const fixed = Buffer.alloc(10);
	fixed.writeUInt16BE(type, 0);
	fixed.writeUInt16BE(1, 2);
	fixed.writeUInt16BE(data.length, 8);
	return Buffer.concat([nameBytes(name), fixed, data]);
}

function nameBytes(name: string): Buffer {
	const labels = name.split(".").map((label) => {
		const bytes = Buffer.from(label, "latin1");
		return Buffer.concat([Buffer.from([bytes.length]), bytes]);
	});
	return Buffer.concat([...labels, Buffer.from([0])]);
}

function addressBytes(address: string): Buffer {
	if (isIP(address) === 4) return Buffer.from(address.split(".").map(Number));
	const [head = "", tail] = address.split("::");
	const groupsOf = (text: string) => (text === "" ? [] : text.split(":"));
	const left = groupsOf(head);
	const right = groupsOf(tail ?? "");
	const zeros = Array(8 - left.length - right.length).fill("0");
	const bytes = Buffer.alloc(16);
	for (const [at, group] of [...left, ...zeros, ...right].entries())
		bytes.writeUInt16BE(Number.parseInt(group, 16), at * 2);
	return bytes;
}
