// A sender of webhooks in bash, made of openssl and curl, in front of listen.
import { describe, expect, test } from "vitest";
import { hasProgram, runShell } from "../helpers/run-shell.ts";

/** Signs "id.timestamp.body" with the decoded secret, as the Standard Webhooks text says, and POSTs the body. */
const SEND = `
send() { # ID SIGNED-BODY BODY
	local at key signature
	at=$(date +%s)
	key=$(cut -d_ -f2 hook.secret | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')
	signature=$(printf '%s.%s.%s' "$1" "$at" "$2" |
		openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)
	curl -sS -o answer -w '%{http_code}\\n' -X POST "$url/in" \\
		-H 'Content-Type: application/json' -H "webhook-id: $1" -H "webhook-timestamp: $at" \\
		-H "webhook-signature: v1,$signature" --data-binary "$3"
}`;

const SCRIPT = `${SEND}
export no_proxy=127.0.0.1
"$@" secret > hook.secret
"$@" listen --path /in --secret-file hook.secret -n 2 > events.ndjson 2> told &
until url=$(grep -o 'http://127[0-9.:]*' told | head -1) && [ -n "$url" ]; do sleep 0.05; done
until [ "$(curl -s -o /dev/null -w '%{http_code}' "$url/in")" = 405 ]; do sleep 0.05; done
body='{"type":"user.made","timestamp":"2026-01-01T00:00:00Z","data":{"total":1.50,"name":"caf\\u00e9 é"}}'
send msg_1 "$body" "$body"
send msg_2 "$body" "$body "
send msg_3 "$body
" "$body"
send msg_4 "$body" "$body"
wait %1
echo "status $?"
cat events.ndjson
cat told >&2
`;

describe.skipIf(!hasProgram("openssl") || !hasProgram("curl"))(
	"a shell script (skipped where openssl or curl is not installed)",
	() => {
		test("that signs by openssl and sends by curl is taken, and refused where the body is not what it signed", async () => {
			const { stdout, stderr } = await runShell(SCRIPT, []);
			const body =
				'{"type":"user.made","timestamp":"2026-01-01T00:00:00Z","data":{"total":1.50,"name":"caf\\u00e9 é"}}';
			expect(stdout.trimEnd().split("\n")).toEqual([
				...["204", "401", "401", "204"],
				"status 0",
				...[body, body],
			]);
			const told = stderr.match(/rejected a delivery \(401 no-match\)/g);
			expect(told).toHaveLength(2);
		});
	},
);
