// Makes an event happen where nothing happens by itself: the tool that the user named.
import type { ControlAnswer, Controls } from "./controls.ts";

export interface TriggerOptions {
	tool: string;
	args: Record<string, unknown>;
}

/** Fires the tool of --trigger-tool; undefined where none was named. */
export async function fireTrigger(
	controls: Controls,
	trigger: TriggerOptions | undefined,
): Promise<ControlAnswer | undefined> {
	if (!trigger) return undefined;
	return controls.callTool(trigger.tool, trigger.args);
}
