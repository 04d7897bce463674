// check server SERVER: every rule of the contract against a server, with evidence.
import { Flags } from "@oclif/core";
import {
	FORM_CHOICES,
	PROFILE_CHOICES,
	SCENARIO_CHOICES,
} from "../../program/check/choices.ts";
import { serverArgs } from "../../program/flags/args.ts";
import {
	connectionFlags,
	durationFlag,
	talkFlags,
} from "../../program/flags/flags.ts";
import { onlyServer } from "../../program/flags/words.ts";
import { spellTunnelFlag } from "../../program/listen/tunnel-words.ts";
import { EventsCommand } from "../../program/process/command.ts";

/** The other connection flags are about a session; a grader asks by hand, and has bounds of its own. */
const reachFlags = {
	header: connectionFlags.header,
	"bearer-env": connectionFlags["bearer-env"],
	"connect-timeout": connectionFlags["connect-timeout"],
	ca: connectionFlags.ca,
	insecure: connectionFlags.insecure,
	resolver: connectionFlags.resolver,
};

const gradeFlags = {
	scenario: Flags.option({
		options: SCENARIO_CHOICES,
		multiple: true,
		multipleNonGreedy: true,
		helpValue: "NAME",
		helpGroup: "GRADE",
		summary:
			"Grade only this part of the contract (repeatable): events-discovery, events-poll, events-push, events-webhook, events-webhook-delivery, events-modes.",
	})(),
	profile: Flags.option({
		options: PROFILE_CHOICES,
		default: "final" as const,
		helpGroup: "GRADE",
		summary: "The dialect that the server is held to.",
	})(),
	compare: Flags.string({
		helpValue: "PROFILE,PROFILE",
		helpGroup: "GRADE",
		exclusive: ["profile"],
		summary:
			"Grade by these profiles in turn, and say of each finding which of them it breaks.",
	}),
	only: Flags.string({
		multiple: true,
		multipleNonGreedy: true,
		helpValue: "ID",
		helpGroup: "GRADE",
		summary: "Try only this rule, by its id or SCENARIO/ID (repeatable).",
	}),
	"modes-agree": Flags.boolean({
		helpGroup: "GRADE",
		summary:
			"Follow one event by all its modes at once, and say what one brings and another does not, or otherwise, or later (the scenario events-modes), beside whatever else is graded.",
	}),
	strict: Flags.boolean({
		helpGroup: "GRADE",
		summary: "End with status 7 where a rule could not be tried.",
	}),
	"expected-failures": Flags.string({
		helpValue: "FILE",
		helpGroup: "GRADE",
		summary:
			"YAML list of the rules that are known to fail; one of them that passes is a failure.",
	}),
	budget: durationFlag({
		default: 300_000,
		defaultHelp: async () => "5m",
		helpGroup: "GRADE",
		summary: "Longest time for the whole run.",
	}),
	timeout: durationFlag({
		default: 10_000,
		defaultHelp: async () => "10s",
		helpGroup: "CONNECTION",
		summary: "Longest wait for one answer; streams have none.",
	}),
	explain: Flags.string({
		helpValue: "ID",
		helpGroup: "GRADE",
		summary:
			"Print this rule, how it is tried, and what the last run saw of it; no SERVER is asked.",
	}),
};

const trafficFlags = {
	arguments: Flags.string({
		multiple: true,
		multipleNonGreedy: true,
		helpValue: "EVENT=JSON",
		helpGroup: "TRAFFIC",
		summary:
			"Arguments for an event type, where they cannot be derived from its schema (repeatable).",
	}),
	"trigger-tool": Flags.string({
		helpValue: "NAME",
		helpGroup: "TRAFFIC",
		summary: "A tool of the server that makes an event happen.",
	}),
	"trigger-args": Flags.string({
		helpValue: "JSON",
		helpGroup: "TRAFFIC",
		summary: "The arguments of that tool.",
	}),
	"second-principal-header": Flags.string({
		multiple: true,
		multipleNonGreedy: true,
		helpValue: "'K: V'",
		helpGroup: "TRAFFIC",
		summary:
			"A header that makes a request one of another principal (repeatable).",
	}),
	"public-url": Flags.string({
		helpValue: "URL",
		helpGroup: "TRAFFIC",
		summary:
			"The https address that leads to --port, at which the server reaches our callbacks.",
	}),
	port: Flags.integer({
		min: 0,
		max: 65_535,
		helpValue: "PORT",
		helpGroup: "TRAFFIC",
		summary: "Receive callbacks on this port. By default a free one.",
	}),
	tunnel: Flags.string({
		helpValue: "COMMAND",
		helpGroup: "TRAFFIC",
		summary:
			"Let callbacks come through a tunnel: alone, a quick tunnel of Cloudflare; or that of a command, such as 'ngrok http {port}'.",
	}),
	"tls-cert": Flags.string({
		helpValue: "FILE",
		helpGroup: "TRAFFIC",
		summary: "Receive callbacks over TLS with this certificate (PEM).",
	}),
	"tls-key": Flags.string({
		helpValue: "FILE",
		helpGroup: "TRAFFIC",
		summary: "The key of --tls-cert (PEM).",
	}),
};

export default class CheckServer extends EventsCommand {
	static override summary =
		"Grade a server against every rule of the contract, with evidence.";
	static override description =
		"Tries each rule and says what was sent and what came back. A rule that could not be tried is untestable, which is no pass: it says what is missing, a control tool, a flag, a credential or traffic; --strict makes it count. Failures end it with status 1. Warnings are about what SHOULD be, and do not. The report is printed as text, JSON, JUnit XML, GitHub annotations or Markdown, and written to files with --report. The last report is kept in the state folder for --explain.";
	static override examples = [
		"<%= config.bin %> <%= command.id %> https://shop.example/mcp --bearer-env SHOP_TOKEN",
		"<%= config.bin %> <%= command.id %> http://127.0.0.1:8931/mcp --scenario events-discovery --strict",
		"<%= config.bin %> <%= command.id %> https://shop.example/mcp --report junit=report.xml --report markdown=report.md --expected-failures known.yaml",
		"<%= config.bin %> <%= command.id %> --only list-implemented --verbose -- node server.js",
		"<%= config.bin %> <%= command.id %> https://shop.example/mcp --compare final,chatgpt --output markdown",
		"<%= config.bin %> <%= command.id %> --explain list-pagination",
	];
	static override usage = "check server [SERVER] [-- COMMAND...]";
	static override strict = false;
	static override args = serverArgs;
	static override mostUsed = [
		"profile",
		"scenario",
		"only",
		"output",
		"report",
		"expected-failures",
		"explain",
		"bearer-env",
	];
	static override flags = {
		output: Flags.option({
			char: "o",
			options: FORM_CHOICES,
			default: "text" as const,
			helpGroup: "OUTPUT",
			summary: "Form of the report.",
		})(),
		report: Flags.string({
			multiple: true,
			multipleNonGreedy: true,
			helpValue: "KIND=FILE",
			helpGroup: "OUTPUT",
			summary:
				"Write the report to a file, too, in this form (repeatable): junit=report.xml.",
		}),
		state: Flags.string({
			helpValue: "DIR",
			helpGroup: "OUTPUT",
			summary: "State folder; by default the XDG state folder.",
		}),
		...gradeFlags,
		...trafficFlags,
		...reachFlags,
		...talkFlags,
	};

	async run(): Promise<number> {
		this.argv = spellTunnelFlag(this.argv);
		const { flags, raw, child } = await this.parseWords(CheckServer);
		const { verbose, quiet, explain } = flags;
		return this.perform({ verbose, quiet }, async (world, output) => {
			const place = { world, output };
			if (explain !== undefined) {
				const { explainRule } = await import("../../program/check/explain.ts");
				return explainRule(explain, flags, place);
			}
			const server = onlyServer(raw, child);
			const { checkServer } = await import(
				"../../program/check/check-server.ts"
			);
			return checkServer(server, flags, place);
		});
	}
}
