// listen [SERVER EVENT...]: a local receiver of signed webhooks.
import { Flags } from "@oclif/core";
import { serverEventArgs } from "../program/flags/args.ts";
import { checkFlags, placeFlags } from "../program/flags/capture-flags.ts";
import {
	argumentFlags,
	connectionFlags,
	durationFlag,
	followFlags,
	sizeFlag,
	talkFlags,
} from "../program/flags/flags.ts";
import { handlerFlags } from "../program/flags/handler-flags.ts";
import { spellTunnelFlag } from "../program/listen/tunnel-words.ts";
import { EventsCommand } from "../program/process/command.ts";

const receiverFlags = {
	host: Flags.string({
		default: "127.0.0.1",
		helpValue: "ADDRESS",
		helpGroup: "RECEIVER",
		summary: "Listen on this address.",
	}),
	port: Flags.integer({
		min: 0,
		max: 65_535,
		default: 0,
		helpValue: "PORT",
		helpGroup: "RECEIVER",
		summary: "Listen on this port; 0 takes a free one.",
	}),
	path: Flags.string({
		default: "/hooks/",
		helpValue: "/PATH",
		helpGroup: "RECEIVER",
		summary:
			"Receive at unguessable paths below this one; without a SERVER, one that does not end in / is the whole path.",
	}),
	"public-url": Flags.string({
		helpValue: "URL",
		helpGroup: "RECEIVER",
		summary: "The address at which servers reach this receiver.",
	}),
	tunnel: Flags.string({
		helpValue: "COMMAND",
		helpGroup: "RECEIVER",
		summary:
			"Be reached through a tunnel: alone, a quick tunnel of Cloudflare; or that of a command, such as 'ngrok http {port}', which is no shell's.",
	}),
	tls: Flags.option({
		options: ["self-signed"] as const,
		helpGroup: "RECEIVER",
		summary:
			"Receive over TLS with a certificate made now; the file with its CA is told on stderr.",
	})(),
	"tls-cert": Flags.string({
		helpValue: "FILE",
		helpGroup: "RECEIVER",
		summary: "Receive over TLS with this certificate (PEM).",
	}),
	"tls-key": Flags.string({
		helpValue: "FILE",
		helpGroup: "RECEIVER",
		summary: "The key of --tls-cert (PEM).",
	}),
	"well-known": Flags.boolean({
		helpGroup: "RECEIVER",
		summary:
			"Serve the well-known document, by which any server may send to --path.",
	}),
	"max-body": sizeFlag({
		default: 256 * 1024,
		defaultHelp: async () => "256kb",
		helpGroup: "RECEIVER",
		summary: "Largest body that is taken; a larger one is answered 413.",
	}),
	reply: Flags.string({
		helpValue: "SCRIPT",
		helpGroup: "RECEIVER",
		summary:
			"Try the sender: answer the attempts of each delivery with 503x2,200 or slow:8s, drop, 302:URL, wrong-challenge; the end tells what they were like.",
	}),
	"secret-file": Flags.string({
		helpValue: "PATH",
		helpGroup: "RECEIVER",
		summary:
			"File with the whsec_ secret, the current one first; without it one is made.",
	}),
};

const subscriptionFlags = {
	ttl: durationFlag({
		helpGroup: "SUBSCRIPTION",
		summary: "Ask for a subscription of this length; it is refreshed anyway.",
	}),
	"no-expiry": Flags.boolean({
		helpGroup: "SUBSCRIPTION",
		summary: "Ask for a subscription that never expires.",
	}),
	"rotate-every": durationFlag({
		helpGroup: "SUBSCRIPTION",
		summary: "Give the server a new secret this often.",
	}),
	keep: Flags.boolean({
		helpGroup: "SUBSCRIPTION",
		summary: "Do not unsubscribe at the end.",
	}),
};

export default class Listen extends EventsCommand {
	static override summary =
		"Receive signed webhooks: subscribe at a server and show its events, or receive from any Standard Webhooks sender.";
	static override description =
		"Opens a receiver on this machine. With SERVER and EVENT it makes a secret, subscribes, answers the verification, refreshes the subscription and unsubscribes at the end; the callback must be one that the server can reach and will take (--tunnel, --public-url). Without them, whoever signs with the secret may send. A delivery is acknowledged only when it is on disk, with every header and byte; deliveries that are refused are told and kept apart. Run again after a crash, it goes on where it stopped: nothing that was acknowledged is lost, nothing is shown twice. Deliveries that are on disk go on to handlers in their order, one at a time: to URLs with --forward-to (a proxy of the environment is used for remote ones, a redirect is never followed), to a command with --exec. A handler may be 1000 deliveries behind, with --relay-status the senders wait for it; what is not handed on is told, and replay hands it on later. With --exec each event is acted on at most once: it is claimed on disk before, so that after a crash the same command goes on with what waited, and tells of what was under way, which is not run again.";
	static override examples = [
		"<%= config.bin %> <%= command.id %> https://shop.example/mcp orders.created --bearer-env SHOP_TOKEN --port 8787 --public-url https://hooks.example",
		"<%= config.bin %> <%= command.id %> https://shop.example/mcp orders.created -a status=paid --bearer-env SHOP_TOKEN --count 10 | jq -c .data",
		"<%= config.bin %> <%= command.id %> https://shop.example/mcp orders.created --bearer-env SHOP_TOKEN --tunnel",
		"<%= config.bin %> <%= command.id %> https://shop.example/mcp orders.created --bearer-env SHOP_TOKEN --tunnel --forward-to http://127.0.0.1:3000/hook --relay-status",
		"<%= config.bin %> <%= command.id %> --port 8787 --secret-file hook.secret --exec 'node handle.js' --output records",
		"<%= config.bin %> <%= command.id %> --port 8787 --path /webhook --secret-file hook.secret --output records",
	];
	static override usage =
		"listen [SERVER EVENT [-a KEY=VALUE...]...] [-- COMMAND...]";
	static override strict = false;
	static override args = serverEventArgs;
	static override mostUsed = [
		"port",
		"path",
		"secret-file",
		"public-url",
		"tunnel",
		"forward-to",
		"exec",
		"count",
		"output",
	];
	static override flags = {
		...receiverFlags,
		...checkFlags,
		...subscriptionFlags,
		...handlerFlags,
		...argumentFlags,
		...followFlags,
		...placeFlags,
		...connectionFlags,
		...talkFlags,
	};

	async run(): Promise<number> {
		this.argv = spellTunnelFlag(this.argv);
		const { flags, raw, child } = await this.parseWords(Listen);
		const { output: form, verbose, quiet } = flags;
		return this.perform({ form, verbose, quiet }, async (world, output) => {
			const { listenOptions } = await import("../program/listen/options.ts");
			const options = listenOptions(raw, child, flags);
			const { runListen } = await import("../program/listen/listen.ts");
			const { openListenSeams } = await import("../program/listen/seams.ts");
			const pieces = { world, output };
			const { seams, tellEnd } = await openListenSeams(flags, pieces);
			return runListen(options, pieces, seams).finally(tellEnd);
		});
	}
}
