// What the flags of `check server` let one choose from: lists of their own, so that help need not load the grader.
import type { Profile, Scenario } from "../../grade/index.ts";
import type { GradeForm } from "../../output/index.ts";

export const SCENARIO_CHOICES = [
	"events-discovery",
	"events-poll",
	"events-push",
	"events-webhook",
	"events-webhook-delivery",
	"events-modes",
] as const satisfies readonly Scenario[];

export const PROFILE_CHOICES = [
	"final",
	"chatgpt",
	"sketch",
] as const satisfies readonly Profile[];

export const FORM_CHOICES = [
	"text",
	"json",
	"junit",
	"github",
	"markdown",
] as const satisfies readonly GradeForm[];
