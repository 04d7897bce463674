import { describe, expect, it } from "vitest";
import { setValue } from "../../src/captures/edit-json.ts";
import { holdsValue, parseJsonEdit } from "../../src/captures/index.ts";

const BODY =
	'{ "eventId":"evt_1", "data":{"n":1.50,"items":[{"id":7},{}],"s":"\\u00e9"} }';
const set = (text: string, body = BODY) =>
	setValue(Buffer.from(body), parseJsonEdit(text, "set")).toString();

describe("a value that is set", () => {
	it.each([
		["data.n=2", BODY.replace("1.50", "2")],
		["data.items.0.id=8", BODY.replace('"id":7', '"id":8')],
		["data.s=text", BODY.replace('"\\u00e9"', '"text"')],
		['data.s="1"', BODY.replace('"\\u00e9"', '"1"')],
		["data.n=null", BODY.replace("1.50", "null")],
		["data.x=1", BODY.replace('{"n"', '{"x":1,"n"')],
		["data.items.1.a.b=c", BODY.replace("{}", '{"a":{"b":"c"}}')],
		["data.q=a=b", BODY.replace('{"n"', '{"q":"a=b","n"')],
	])("%s leaves every other byte as it was", (edit, body) => {
		expect(set(edit)).toBe(body);
	});

	it("may stand behind white space", () => {
		expect(set("a=1", ' \n{"b":2}')).toBe(' \n{"a":1,"b":2}');
	});

	it.each([
		["data.n.x=1", BODY],
		["data.items.9.x=1", BODY],
		["a=1", "[1]"],
	])("%s is refused where there is no place for it", (edit, body) => {
		expect(() => set(edit, body)).toThrow(
			expect.objectContaining({ code: "wrong-use" }),
		);
	});

	it.each(["", "=1", "data", ".a=1", "a..b=1"])("%j names no place", (text) => {
		expect(() => parseJsonEdit(text, "set")).toThrow(
			expect.objectContaining({ code: "wrong-use" }),
		);
	});
});

it.each([
	["data.n=1.5", true],
	["data.n=1", false],
	["data.items.0.id=7", true],
	["data.s=\u00e9", true],
	["eventId=evt_1", true],
	["data.none=1", false],
	["data.n.deeper=1", false],
])("whether a body holds %s is %s", (text, isHeld) => {
	const edit = parseJsonEdit(text, "filter");
	expect(holdsValue(Buffer.from(BODY), edit)).toBe(isHeld);
});
