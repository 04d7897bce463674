#!/usr/bin/env node
// Answers `--version` at once, else starts the built program, which ends the process itself.
"use strict";

if (process.argv.length === 3 && process.argv[2] === "--version") {
	const { name, version } = require("../package.json");
	console.log(
		`${name}/${version} ${process.platform}-${process.arch} node-${process.version}`,
	);
} else {
	const { dirname } = require("node:path");
	const [, , command] = process.argv;
	// Events pass through: a heap that grows with their rate would only keep their remains in memory for longer. What
	// keeps them meanwhile, as a receiver does, would spend its time on collecting, and so would a thousand subscriptions
	// with a heap that grew by less than half each time. So little is left to keep of what is young that to share that work
	// among threads takes longer than to do it.
	if (["poll", "stream", "tail"].includes(command))
		for (const flag of [
			"--semi-space-growth-factor=1",
			"--heap-growing-percent=50",
			"--no-parallel-scavenge",
		])
			require("node:v8").setFlagsFromString(flag);
	require("node:module").enableCompileCache?.();
	require("../dist/main.cjs").main(dirname(__dirname));
}
