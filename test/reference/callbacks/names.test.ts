import { describe, expect, it } from "vitest";
import { openNames } from "../../../src/reference/callbacks/names.ts";
import { openNameServer } from "../../helpers/open-name-server.ts";

describe("the addresses of a name", () => {
	it("are all that its server has, of both families and behind aliases", async () => {
		const server = await openNameServer({
			"both.example": ["192.0.2.1", "192.0.2.2", "2001:db8::1"],
			"alias.example": ["middle.example"],
			"middle.example": ["both.example"],
			"six.example": ["2001:db8::2"],
			"empty.example": [],
		});
		const { addressesOf } = openNames(server);
		const both = ["192.0.2.1", "192.0.2.2", "2001:db8::1"];
		expect(await addressesOf("both.example")).toEqual(both);
		expect(await addressesOf("alias.example")).toEqual(both);
		expect(await addressesOf("six.example")).toEqual(["2001:db8::2"]);
		expect(await addressesOf("empty.example")).toEqual([]);
		expect(await addressesOf("missing.example")).toEqual([]);
	});

	it("are asked for each time", async () => {
		const server = await openNameServer({ "a.example": ["192.0.2.1"] });
		const { addressesOf } = openNames(server);
		await addressesOf("a.example");
		server.answers.set("a.example", ["192.0.2.2"]);
		expect(await addressesOf("a.example")).toEqual(["192.0.2.2"]);
		expect(
			server.questions.filter((one) => one === "A a.example"),
		).toHaveLength(2);
	});

	it("cannot be told while the server fails, or is not there", async () => {
		const server = await openNameServer({ "a.example": "failure" });
		const failed = { reason: "connection_refused" };
		const { addressesOf } = openNames(server);
		await expect(addressesOf("a.example")).rejects.toMatchObject(failed);
	});

	it("come from this machine where no server is named", async () => {
		const { addressesOf } = openNames(undefined);
		const found = await addressesOf("localhost");
		expect(found.length).toBeGreaterThan(0);
		for (const address of found)
			expect(["127.0.0.1", "::1"]).toContain(address);
	});
});
