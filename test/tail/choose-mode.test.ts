import { expect, it } from "vitest";
import type { Fault } from "../../src/faults/index.ts";
import type { DeliveryMode } from "../../src/protocol/index.ts";
import { chooseMode } from "../../src/tail/index.ts";

const choose = (
	delivery: DeliveryMode[],
	via?: "poll" | "push",
	name = "orders.created",
) => chooseMode({ name, delivery }, { via, transport: "http" });

function refusal(...words: Parameters<typeof choose>): Fault {
	try {
		choose(...words);
	} catch (fault) {
		return fault as Fault;
	}
	throw new Error("it was not refused");
}

it.each([
	[["poll", "push"], "push"],
	[["push"], "push"],
	[["webhook", "poll"], "poll"],
	[["poll"], "poll"],
] as [DeliveryMode[], string][])("of %j it takes %s", (delivery, via) => {
	const chosen = choose(delivery);
	expect(chosen.via).toBe(via);
	expect(chosen.why).toContain(delivery.join(" and "));
});

it("takes what the user forces, where it is offered", () => {
	expect(choose(["push", "poll"], "poll")).toEqual({
		via: "poll",
		why: "as asked",
	});
});

it("names both sides and the way out where the forced mode is not offered", () => {
	expect(refusal(["poll"], "push")).toMatchObject({
		code: "mode-not-offered",
		exitStatus: 2,
		what: "cannot tail orders.created by push: the server offers only poll for it",
		why: "events/list reports delivery [poll]",
		next: "mcp-events tail SERVER orders.created --via poll",
	});
});

it("says so where a type comes by webhook only", () => {
	expect(refusal(["webhook"])).toMatchObject({
		what: "cannot tail orders.created by push or poll: the server offers only webhook for it",
		next: expect.stringContaining("mcp-events list SERVER"),
	});
});

it("says so where no mode is named that we know", () => {
	expect(refusal([]).what).toContain("no delivery mode that we know");
});

it("quotes a name that a shell would run", () => {
	const { next } = refusal(["poll"], "push", "x'; rm -rf ~");
	expect(next).toBe("mcp-events tail SERVER 'x'\\''; rm -rf ~' --via poll");
});
