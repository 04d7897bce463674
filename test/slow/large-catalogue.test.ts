// A catalogue of as many types as one message can hold.
import { expect, test } from "vitest";
import { openRawOddities } from "../fixtures/servers/raw-oddities.ts";
import { runCli } from "../helpers/run-cli.ts";

test.each(["ndjson", "table"])(
	"a page of a hundred and fifty thousand types is listed whole, as %s",
	async (form) => {
		const count = 150_000;
		const type = (at: number) => `{"name":"n${at}","delivery":["poll"]}`;
		const events = Array.from({ length: count }, (_, at) => type(at));
		await using server = await openRawOddities({
			instead: {
				"events/list": ({ id }, response) =>
					response
						.writeHead(200, { "content-type": "application/json" })
						.end(
							`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"resultType":"complete","events":[${events}]}}`,
						),
			},
		});
		const run = await runCli(["list", server.url, "-o", form]);
		expect(run).toMatchObject({ status: 0, stderr: "" });
		const heading = form === "table" ? 1 : 0;
		expect(run.lines.length).toBe(count + heading);
		expect(run.lines.at(-1)).toContain(`n${count - 1}`);
	},
);
