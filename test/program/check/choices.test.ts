import { expect, it } from "vitest";
import { ALL_SCENARIOS, PROFILES } from "../../../src/grade/index.ts";
import { GRADE_FORMS } from "../../../src/output/index.ts";
import {
	FORM_CHOICES,
	PROFILE_CHOICES,
	SCENARIO_CHOICES,
} from "../../../src/program/check/choices.ts";

it("lets one choose from all that there is", () => {
	expect(SCENARIO_CHOICES).toEqual(ALL_SCENARIOS);
	expect(PROFILE_CHOICES).toEqual(PROFILES);
	expect(FORM_CHOICES).toEqual(GRADE_FORMS);
});
