import { execFileSync } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { type Schema, Validator } from "@cfworker/json-schema";
import { describe, expect, it } from "vitest";
import published from "../../src/grade/schemas/report.schema.json" with {
	type: "json",
};
import { loadPalette, PLAIN } from "../../src/output/colors.ts";
import {
	GRADE_FORMS,
	type GradeForm,
	renderGrade,
} from "../../src/output/grade-forms.ts";
import { dangers } from "../fixtures/hostile-text.ts";
import { HOSTILE, SHOWN } from "./grade-report.ts";

/** JSON that is imported has wider types than a schema is declared with. */
const schema = published as Schema;
const page = { width: 80, palette: PLAIN };
const render = (form: GradeForm, more: Partial<typeof SHOWN> = {}) =>
	renderGrade({ ...SHOWN, ...more }, form, page);

const unexpected = { unexpectedPasses: ["events-poll/passes"] };

describe("every form", () => {
	it.each(GRADE_FORMS.filter((form) => form !== "json"))(
		"%s has nothing that a terminal would obey",
		(form) => {
			expect(dangers(render(form))).toEqual([]);
		},
	);
});

describe("text", () => {
	it("tells what failed first, and what could not be tried apart", () => {
		const text = render("text");
		const order = ["FAIL fails", "FAIL known", "warn warns", "???? untried"];
		const places = order.map((word) => text.indexOf(word));
		expect(places).toEqual([...places].sort((a, b) => a - b));
		expect(places).not.toContain(-1);
		expect(text).toContain("FAIL known (must) as expected");
		expect(text).toContain(
			"6 rules: 1 passed, 2 failed, 1 warning, 1 skipped, 1 untestable, in 2.3 s",
		);
		expect(text).toContain("check server --explain events-poll/fails\n");
		expect(text).not.toContain("pass passes");
	});

	it("tells all at --verbose, and a pass that was said to fail always", () => {
		expect(render("text", { isVerbose: true })).toContain("pass passes");
		expect(render("text", unexpected)).toContain(
			"pass passes (must) passes, and was said to fail",
		);
	});
});

describe("rules that are left untried for one reason", () => {
	const ids = ["one", "two", "three"];
	const untried = SHOWN.report.rows.filter(
		({ verdict }) => verdict === "UNTESTABLE",
	);
	const alike = ids.flatMap((id) =>
		untried.map((row) => ({ ...row, id, message: "no webhook" })),
	);
	const report = { ...SHOWN.report, rows: [...untried, ...alike] };

	it.each([
		["text", "???? 3 rules\n       one, two, three\n       no webhook\n"],
		[
			"github",
			"::notice title=events-poll (3 rules)::no webhook%0Aone, two, three\n",
		],
		["markdown", "`one`, `two`, `three` (events-poll, 3 rules) | no webhook |"],
	] as const)("%s tells the reason once", (form, told) => {
		const text = render(form, { report });
		expect(text).toContain(told);
		expect(text.split("no webhook")).toHaveLength(2);
		expect(text).toContain("untried");
	});

	it("text names them on a terminal of colours as well", async () => {
		const colours = { width: 80, palette: await loadPalette(1) };
		const text = renderGrade({ ...SHOWN, report }, "text", colours);
		expect(stripVTControlCharacters(text)).toBe(render("text", { report }));
	});

	it("junit has a case for each", () => {
		expect(render("junit", { report }).split("no webhook")).toHaveLength(4);
	});
});

describe("the readiness for ChatGPT", () => {
	const readiness = {
		verdict: "refused",
		told: "not ready: ChatGPT would refuse this server, for one reason",
		reasons: [`a rule: ${HOSTILE}`],
	} as const;
	const report = {
		...SHOWN.report,
		readiness: { ...readiness, reasons: [...readiness.reasons] },
	};

	it.each(["text", "markdown"] as const)("ends a %s", (form) => {
		const text = render(form, { report });
		const at = text.indexOf("not ready: ChatGPT would refuse this server");
		expect(at).toBeGreaterThan(text.indexOf("events-poll"));
		expect(dangers(text)).toEqual([]);
	});

	it("stands in the JSON, by its schema", () => {
		const value = JSON.parse(render("json", { report }));
		expect(value.readiness.verdict).toBe("refused");
		expect(new Validator(schema, "2020-12").validate(value).valid).toBe(true);
	});
});

describe("json", () => {
	it("fits its published schema, and keeps what was said", () => {
		const report = JSON.parse(render("json", unexpected));
		const { errors } = new Validator(schema, "2020-12", false).validate(report);
		expect(errors).toEqual([]);
		expect(report.rows[1].message).toBe(HOSTILE);
		expect(report.baseline).toEqual({
			expected: ["events-poll/known"],
			unexpectedPasses: ["events-poll/passes"],
		});
	});

	it("is refused by that schema with another verdict", () => {
		const report = JSON.parse(render("json"));
		report.rows[0].verdict = "PASS";
		expect(new Validator(schema, "2020-12").validate(report).valid).toBe(false);
	});
});

/** Parsed by Python's own XML reader: [name, failures, skips, text] of each case. */
function readJunit(xml: string): [string, string[], string[]][] {
	const program = `
import json, sys, xml.etree.ElementTree as tree
root = tree.fromstring(sys.stdin.buffer.read())
cases = root.findall("./testsuite/testcase")
print(json.dumps([[c.get("name"), [f.get("message") for f in c.findall("failure")], [s.get("message") for s in c.findall("skipped")]] for c in cases]))`;
	const out = execFileSync("python3", ["-c", program], { input: xml });
	return JSON.parse(out.toString("utf8"));
}

const hasPython = (() => {
	try {
		execFileSync("python3", ["--version"]);
		return true;
	} catch {
		return false;
	}
})();

describe("junit", () => {
	it.skipIf(!hasPython)("is read by an XML reader (needs python3)", () => {
		const cases = readJunit(render("junit", unexpected));
		const [passes, fails, known, warns, skips, untried] = cases;
		expect(passes?.[1]).toEqual(["passes, and was said to fail: seen"]);
		expect(fails?.[1][0]).toContain('a "quoted" <b> & ]]> | `code` %0A');
		expect([known?.[1], warns?.[1]]).toEqual([[], []]);
		expect([skips?.[2], untried?.[2]]).toEqual([
			["SKIPPED: not here"],
			["UNTESTABLE: not tried, for want of it"],
		]);
	});

	it("counts as failures only what counts against the server", () => {
		expect(render("junit")).toContain(
			'tests="6" failures="1" errors="0" skipped="2"',
		);
		expect(render("junit", unexpected)).toContain('failures="2"');
	});
});

describe("github", () => {
	it("has one annotation a row, by what it is worth", () => {
		const lines = render("github").split("\n");
		expect(
			lines.map((line) => /^::(\w+) title=([^:]+)::/.exec(line)?.slice(1)),
		).toEqual([
			["error", "events-poll/fails"],
			["notice", "events-poll/known"],
			["warning", "events-poll/warns"],
			["notice", "events-poll/untried"],
			undefined,
			undefined,
		]);
	});

	it("lets no text of a server begin a command", () => {
		const lines = render("github").split("\n");
		expect(lines.filter((line) => line.startsWith("::error::"))).toEqual([]);
		expect(lines[0]).toContain("%250A%0A::error::x");
	});
});
