export {
	type ChildProgram,
	signalGroup,
	spawnGroup,
	startGroup,
} from "./process-group.ts";
