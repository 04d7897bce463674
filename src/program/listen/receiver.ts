// The receiver of a listener, joined to its captures: nothing is acknowledged before it is on disk.
import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { hostname } from "node:os";
import type { CaptureLog } from "../../captures/index.ts";
import { Fault } from "../../faults/index.ts";
import type { Output } from "../../output/index.ts";
import type {
	Notice,
	ReceivedDelivery,
	Receiver,
	RefusedDelivery,
} from "../../receiver/index.ts";
import type { Intake, Item } from "../../tail/index.ts";
import { capturesFolder } from "../captures/capture-source.ts";
import { ownerOf } from "../connect/owner.ts";
import { readTextFile, writePrivateText } from "../flags/files.ts";
import type { World } from "../process/world.ts";
import type { ListenFlags, ListenSeams } from "./options.ts";

/** What deliveries are handed to. */
export type JoinedIntake = Pick<Intake, keyof Intake>;

export interface ListenReceiver {
	readonly receiver: Receiver;
	/** Where deliveries are captured. */
	readonly folder: string;
	/** From now on deliveries go there; before, senders are told to try again. */
	join(intake: JoinedIntake): void;
	/** Stops receiving, then waits for what is being written. */
	close(): Promise<void>;
}

/** How long requests in progress may go on when it ends. */
const GRACE_MS = 500;

/** Opens both. Throws `address-unusable`, `tls-failed`, `file-failed` or `wrong-use`. */
export async function openListenReceiver(
	flags: ListenFlags,
	seams: ListenSeams,
	pieces: { world: World; output: Output },
): Promise<ListenReceiver> {
	const { world, output } = pieces;
	const { handlers } = seams;
	const { openReceiver } = await import("../../receiver/index.ts");
	const folder = capturesFolder(flags, world);
	const log = await openLog(folder, pieces);
	let intake: JoinedIntake | undefined;
	let receiver: Receiver;
	let tls: ReceiverTls | undefined;
	try {
		tls = await readTls(flags, pieces);
		receiver = await openReceiver({
			host: flags.host,
			port: flags.port,
			routes: [],
			now: world.now,
			toleranceSeconds: Math.floor(flags.tolerance / 1_000),
			accept: (delivery) => keep(delivery, { intake, log, seams }),
			tell: (notice) => {
				if (intake) tell(notice, { intake, log, seams });
			},
			limits: {
				bodyBytes: flags["max-body"],
				seenKeys: flags["dedup-window"],
			},
			replies: seams.replies,
			...(tls ? { tls } : {}),
			...(flags["well-known"] ? { wellKnownPrefix: flags.path } : {}),
		});
	} catch (error) {
		await log.close();
		throw error;
	}
	if (flags["well-known"])
		output.warn(
			"--well-known: anyone who can use any MCP server may point its deliveries here; those with a wrong signature are refused",
		);
	return {
		receiver,
		folder,
		join(joined) {
			intake = joined;
		},
		async close() {
			handlers?.hurry();
			await receiver.close(GRACE_MS + (handlers?.graceMs ?? 0));
			await handlers?.settle();
			// Its key is gone with this run: nobody need trust it any longer.
			if (tls?.caPath !== undefined) await rm(tls.caPath, { force: true });
			await log.close();
		},
	};
}

async function openLog(
	folder: string,
	{ world, output }: { world: World; output: Output },
): Promise<CaptureLog> {
	const { openCaptureLog } = await import("../../captures/index.ts");
	return openCaptureLog({
		folder,
		now: world.now,
		randomBytes,
		owner: ownerOf(world),
		repaired: ({ path, droppedBytes }) =>
			output.say(
				`${path}: cut off a torn last line (${droppedBytes} bytes) that a crash had left; it was never acknowledged`,
			),
	});
}

interface Joined {
	intake: JoinedIntake;
	log: CaptureLog;
	seams: ListenSeams;
}

async function keep(
	delivery: ReceivedDelivery,
	{ intake, log, seams }: Omit<Joined, "intake"> & Partial<Joined>,
): Promise<{ status?: number } | undefined> {
	if (!intake) throw notYet();
	const { handlers } = seams;
	const show = (items: Item[]) => intake.put(items);
	if (intake.isRepeat(delivery))
		return handlers?.afterStored(
			{ delivery, capture: undefined, isRepeat: true },
			show,
		);
	intake.requireRoom(delivery);
	let capture: string;
	try {
		const isOpen =
			handlers?.isRelayed && delivery.content.kind !== "verification";
		const kept = isOpen ? { ...delivery, answer: { status: null } } : delivery;
		({ id: capture } = await log.append(kept));
	} catch (error) {
		intake.notKept(delivery);
		throw error;
	}
	intake.kept(delivery, capture);
	return handlers?.afterStored({ delivery, capture, isRepeat: false }, show);
}

function tell(notice: Notice, { intake, log, seams }: Joined): void {
	if (notice.kind !== "refused") {
		intake.notice(notice);
		return;
	}
	const { refused } = notice;
	const [only, ...others] = refused.candidates;
	const subscription = others.length === 0 ? only : undefined;
	const told = (capture: string | undefined) => {
		intake.refused(refused, capture);
		const { afterRefused } = seams.handlers ?? {};
		// A stranger must not be able to fill the memory of a listener whose reader stands still.
		if (!intake.isCrowded)
			afterRefused?.(refused, capture, (items) => intake.put(items));
	};
	log
		.appendRejected({
			...withoutCandidates(refused),
			...(subscription === undefined ? {} : { subscription }),
		})
		.then(
			({ id }) => told(id),
			() => told(undefined),
		);
}

function withoutCandidates({
	candidates: _candidates,
	reason: _reason,
	why: _why,
	...rest
}: RefusedDelivery) {
	return rest;
}

interface ReceiverTls {
	cert: string;
	key: string;
	/** Where the CA of a certificate of our own lies. */
	caPath?: string;
}

async function readTls(
	flags: ListenFlags,
	{ world, output }: { world: World; output: Output },
): Promise<ReceiverTls | undefined> {
	const { "tls-cert": cert, "tls-key": key } = flags;
	if (cert !== undefined && key !== undefined)
		return {
			cert: await readTextFile(cert, "--tls-cert"),
			key: await readTextFile(key, "--tls-key"),
		};
	if (flags.tls === undefined) return undefined;
	const { makeSelfSigned } = await import("../../receiver/index.ts");
	const { stateFolder } = await import("../connect/state-place.ts");
	const { join } = await import("node:path");
	const made = makeSelfSigned({
		hosts: hostsOf(flags),
		now: world.now(),
		days: TLS_DAYS,
	});
	const name = `ca-${world.pid}-${randomBytes(3).toString("hex")}.pem`;
	const path = join(stateFolder(flags, world), "tls", name);
	await writePrivateText(path, made.caPem);
	output.say(`made a certificate; its CA, for the sender to trust: ${path}`);
	return { cert: made.certPem, key: made.keyPem, caPath: path };
}

/** The names by which a sender may come: that of this machine where it listens on all of its addresses. */
function hostsOf({ host, "public-url": url }: ListenFlags): string[] {
	const own = ["0.0.0.0", "::"].includes(host) ? hostname() : host;
	const outside = url === undefined ? own : new URL(url).hostname;
	const bare = outside.replace(/^\[|\]$/g, "");
	return [...new Set([own, bare, "localhost", "127.0.0.1", "::1"])];
}

const TLS_DAYS = 30;

function notYet(): Fault {
	return new Fault("rate-limited", {
		what: "the listener is not ready yet",
	});
}
