// What each example of the commands must do: every one of them stands here, or among those that cannot run here.

export interface Example {
	/**
	 * `ends`: by itself. `follows`: it would go on for ever, and ends after two events. `serves`: it listens until it is
	 * stopped, and `list` answers at its URL. `receives`: it gets one delivery signed with hook.secret. `sends`: a listener with hook.secret answers.
	 */
	how: "ends" | "follows" | "serves" | "receives" | "sends";
	/** Flags that this place needs at the end. */
	also?: string;
	/** 0 where it is left out. */
	status?: number;
	/** What must be on stdout, or in the file that the example writes. */
	shows: RegExp;
	file?: string;
}

const EVENT =
	/^\{"eventId":"orders\.created-\d+".*\}\n\{"eventId":"orders\.created-\d+"/;
const TICK = /^\{"eventId":"tick-1000-/;
const PAID = /"status":"paid"/;
const CAPTURE = /^\{"id":"cap_[^\n]*"verdict":\{"kind":"valid"/;

/** By the example's text. */
export const EXAMPLES: Record<string, Example> = {
	"mcp-events list https://shop.example/mcp": {
		how: "ends",
		shows: /"name":"orders\.created"[\s\S]*"name":"stock\.low"/,
	},
	"mcp-events list https://shop.example/mcp --bearer-env SHOP_TOKEN | jq -r .name":
		{ how: "ends", shows: /^orders\.created\nstock\.low\n$/ },
	"mcp-events list -- mcp-events serve --stdio": {
		how: "ends",
		shows: /"name":"clock\.tick"/,
	},
	"mcp-events describe https://shop.example/mcp orders.created": {
		how: "ends",
		shows: /An order was placed/,
	},
	"mcp-events describe https://shop.example/mcp orders.created --output json | jq .inputSchema":
		{ how: "ends", shows: /"status": \{/ },
	"mcp-events describe dice.rolled -- mcp-events serve --stdio": {
		how: "ends",
		shows: /A die was rolled/,
	},
	"mcp-events tail https://shop.example/mcp orders.created": {
		how: "follows",
		shows: EVENT,
	},
	"mcp-events tail https://shop.example/mcp orders.created -a status=paid stock.low -a below=5 | jq -c .data":
		{ how: "follows", shows: /^\{"(order|item)":/ },
	"mcp-events tail https://shop.example/mcp orders.created --via poll --output records":
		{
			how: "follows",
			shows: /^\{"kind":"ready"[\s\S]*"via":"poll"[\s\S]*"kind":"stopped"/,
		},
	"mcp-events tail https://shop.example/mcp orders.created --resume >> orders.ndjson":
		{ how: "follows", file: "orders.ndjson", shows: EVENT },
	"mcp-events tail https://shop.example/mcp orders.created --resume --exec 'node handle.js {{event.eventId|id}}' --exec-retries 3":
		{
			how: "follows",
			file: "handled",
			shows: /^orders\.created-\d+\norders\.created-\d+\n$/,
		},
	"mcp-events tail https://shop.example/mcp --from subscriptions.txt --resume --output records":
		{ how: "follows", shows: /"kind":"event"/ },
	"mcp-events tail clock.tick --count 3 -- mcp-events serve --stdio": {
		how: "ends",
		shows: TICK,
	},
	"mcp-events stream https://shop.example/mcp orders.created | jq .data": {
		how: "follows",
		shows: /"order": "A-/,
	},
	"mcp-events stream https://shop.example/mcp orders.created -a status=paid --count 10":
		{ how: "ends", shows: PAID },
	"mcp-events stream clock.tick -- mcp-events serve --stdio": {
		how: "follows",
		shows: TICK,
	},
	"mcp-events poll https://shop.example/mcp orders.created | jq .data": {
		how: "follows",
		shows: /"order": "A-/,
	},
	"mcp-events poll https://shop.example/mcp orders.created --cursor CURSOR --once":
		{ how: "ends", shows: EVENT },
	"mcp-events poll clock.tick -- mcp-events serve --stdio": {
		how: "follows",
		shows: TICK,
	},
	"mcp-events listen https://shop.example/mcp orders.created -a status=paid --bearer-env SHOP_TOKEN --count 10 | jq -c .data":
		{ how: "ends", also: "--port 8787", shows: PAID },
	"mcp-events listen --port 8787 --secret-file hook.secret --exec 'node handle.js' --output records":
		{ how: "receives", shows: /"kind":"handled"/ },
	"mcp-events listen --port 8787 --path /webhook --secret-file hook.secret --output records":
		{ how: "receives", shows: /"kind":"event"/ },
	"mcp-events captures list --since 1h": {
		how: "ends",
		shows: /^\{"id":"cap_/,
	},
	"mcp-events captures list --event orders.created --verdict valid | jq -r .body":
		{ how: "ends", shows: /^\{"eventId":"orders\.created-/ },
	"mcp-events captures list --verdict no-match --output table": {
		how: "ends",
		shows: /no-match/,
	},
	"mcp-events captures show cap_mf3k2x1a_0b1c2d3e_1": {
		how: "ends",
		shows: CAPTURE,
	},
	"mcp-events captures show cap_mf3k2x1a_0b1c2d3e_1 | jq -r .body": {
		how: "ends",
		shows: /^\{"eventId":/,
	},
	"mcp-events verify request.txt --secret-file hook.secret": {
		how: "ends",
		shows: /"valid":true/,
	},
	"mcp-events captures export cap_mf3k2x1a_0b1c2d3e_1 --to http://127.0.0.1:3000/hook | sh":
		{ how: "ends", shows: /^/ },
	"mcp-events captures export cap_mf3k2x1a_0b1c2d3e_1 --as raw > request.txt": {
		how: "ends",
		file: "request.txt",
		shows: /^POST \/.* HTTP\/1\.1\r?\n/,
	},
	"mcp-events captures export --since 1h --as har > deliveries.har": {
		how: "ends",
		file: "deliveries.har",
		shows: /"version": ?"1\.2"/,
	},
	"mcp-events verify cap_mf3k2x1a_0b1c2d3e_1": {
		how: "ends",
		shows: /"valid":true/,
	},
	"mcp-events verify --id msg_1 --timestamp 1700000000 --signature 'v1,K5oZ…' --secret-file hook.secret < body.json":
		{ how: "ends", status: 1, shows: /"valid":false/ },
	"mcp-events captures list --since 1h | mcp-events verify - | jq 'select(.valid | not)'":
		{ how: "ends", status: 1, shows: /"valid": false/ },
	"mcp-events replay cap_mf3k2x1a_0b1c2d3e_1 --to http://127.0.0.1:3000/hook": {
		how: "ends",
		shows: /"status":204/,
	},
	"mcp-events captures list --event orders.created | mcp-events replay - --to http://127.0.0.1:3000/hook --speed 10x":
		{ how: "ends", shows: /"status":204/ },
	"mcp-events replay deliveries.ndjson --to http://127.0.0.1:3000/hook --secret-file hook.secret --new-id --set data.total=0":
		{ how: "ends", shows: /"status":204/ },
	'mcp-events send --to http://127.0.0.1:3000/hook --secret-file hook.secret --event orders.created --data \'{"order":"A-1001"}\'':
		{ how: "sends", shows: /"status":204/ },
	"mcp-events send --to http://127.0.0.1:3000/hook --secret-file hook.secret --type verification":
		{ how: "sends", shows: /"status":200.*"echoed":true/ },
	"! mcp-events send --to http://127.0.0.1:3000/hook --secret-file hook.secret --event orders.created --corrupt signature":
		{ how: "sends", shows: /"status":401/ },
	"(umask 077; mcp-events secret > hook.secret)": {
		how: "ends",
		file: "hook.secret",
		shows: /^whsec_\S{44}\n$/,
	},
	"mcp-events secret | tee hook.secret | mcp-events listen --port 8787 --path /in --secret-file /dev/stdin":
		{ how: "receives", shows: /"name":"test\.made"/ },
	"mcp-events subscribe https://shop.example/mcp orders.created --bearer-env SHOP_TOKEN --to https://app.example/hooks --secret-file hook.secret":
		{ how: "ends", shows: /"id":/ },
	"mcp-events subscribe https://shop.example/mcp orders.created -a status=paid --bearer-env SHOP_TOKEN --to https://app.example/hooks --secret-file hook.secret --ttl 1d | jq -r .refreshBefore":
		{ how: "ends", shows: /^\d{4}-\d\d-\d\dT/ },
	"mcp-events unsubscribe https://shop.example/mcp orders.created --bearer-env SHOP_TOKEN":
		{ how: "ends", shows: /^/ },
	"mcp-events unsubscribe https://shop.example/mcp orders.created -a status=paid --bearer-env SHOP_TOKEN --to https://app.example/hooks":
		{ how: "ends", shows: /^/ },
	"mcp-events subscriptions list": { how: "ends", shows: /^/ },
	"mcp-events subscriptions list --all | jq 'select(.state == \"left\")'": {
		how: "ends",
		shows: /^/,
	},
	"mcp-events subscriptions prune https://shop.example/mcp --bearer-env SHOP_TOKEN":
		{ how: "ends", shows: /^/ },
	"mcp-events subscriptions prune": { how: "ends", shows: /^/ },
	"mcp-events serve --port 8931": {
		how: "serves",
		shows: /"name":"clock\.tick"/,
	},
	"mcp-events serve file app.log --port 8931": {
		how: "serves",
		shows: /"name":"file\.line"/,
	},
	"producer | mcp-events serve stdin --event-name orders.created --id-field id":
		{ how: "serves", shows: /"name":"orders\.created"/ },
	"mcp-events serve sqlite app.db --table orders --token me=env:MY_TOKEN": {
		how: "serves",
		shows: /"delivery":\[[^\]]*"webhook"/,
	},
	"mcp-events serve inbound --hook push=github:env:GITHUB_SECRET": {
		how: "serves",
		shows: /"name":"/,
	},
	"mcp-events serve --config serve.json": {
		how: "serves",
		shows: /"name":"clock\.tick"/,
	},
	"mcp-events tail clock.tick -- mcp-events serve --stdio": {
		how: "follows",
		shows: TICK,
	},
	"mcp-events check server https://shop.example/mcp --bearer-env SHOP_TOKEN": {
		how: "ends",
		shows: /rules: \d+ passed/,
	},
	"mcp-events check server http://127.0.0.1:8931/mcp --scenario events-discovery --strict":
		{ how: "ends", status: 7, shows: /rules: \d+ passed/ },
	"mcp-events check server https://shop.example/mcp --report junit=report.xml --report markdown=report.md --expected-failures known.yaml":
		{ how: "ends", file: "report.xml", shows: /<testsuite/ },
	"mcp-events check server --only list-implemented --verbose -- node server.js":
		{ how: "ends", shows: /1 passed/ },
	"mcp-events check server https://shop.example/mcp --compare final,chatgpt --output markdown":
		{ how: "ends", status: 1, shows: /chatgpt/ },
	"mcp-events check server --explain list-pagination": {
		how: "ends",
		shows: /list-pagination/,
	},
	"mkdir -p ~/.local/share/bash-completion/completions && mcp-events completion bash > ~/.local/share/bash-completion/completions/mcp-events":
		{
			how: "ends",
			file: ".local/share/bash-completion/completions/mcp-events",
			shows: /^complete -F/m,
		},
	"mkdir -p ~/.zfunc && mcp-events completion zsh > ~/.zfunc/_mcp-events": {
		how: "ends",
		file: ".zfunc/_mcp-events",
		shows: /^#compdef mcp-events/,
	},
	"mkdir -p ~/.config/fish/completions && mcp-events completion fish > ~/.config/fish/completions/mcp-events.fish":
		{
			how: "ends",
			file: ".config/fish/completions/mcp-events.fish",
			shows: /^complete -c mcp-events/m,
		},
	"mcp-events completion powershell >> profile.ps1": {
		how: "ends",
		file: "profile.ps1",
		shows: /Register-ArgumentCompleter/,
	},
	"mcp-events captures prune --verdict no-match --dry-run": {
		how: "ends",
		shows: /^/,
	},
	"mcp-events captures prune --older-than 7d": { how: "ends", shows: /^/ },
	"mcp-events captures prune --all": { how: "ends", shows: /^/ },
};

/** Examples that cannot run here, and why. */
export const NOT_RUN: Record<string, string> = {
	"mcp-events listen https://shop.example/mcp orders.created --bearer-env SHOP_TOKEN --port 8787 --public-url https://hooks.example":
		"hooks.example would have to lead to this machine",
	"mcp-events listen https://shop.example/mcp orders.created --bearer-env SHOP_TOKEN --tunnel":
		"opens a real tunnel; tunnel.test.ts runs it with a stand-in",
	"mcp-events listen https://shop.example/mcp orders.created --bearer-env SHOP_TOKEN --tunnel --forward-to http://127.0.0.1:3000/hook --relay-status":
		"opens a real tunnel; tunnel.test.ts runs it with a stand-in",
};
