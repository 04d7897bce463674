export {
	type BoundedTasks,
	openBoundedTasks,
	type TaskBounds,
} from "./bounded-tasks.ts";
export {
	type DeliveryToForward,
	type Forwarded,
	type Forwarder,
	type ForwarderOptions,
	openForwarder,
} from "./forward.ts";
export { forwardableHeaders } from "./forward-headers.ts";
export { HourlyLimit, hourBefore } from "./hourly-limit.ts";
export { limitTasks } from "./limit-tasks.ts";
export {
	type CommandRun,
	type CommandToRun,
	runCommand,
} from "./run-command.ts";
export { type CommandTemplate, parseTemplate } from "./template.ts";
