// Every row of the table of faults; test/process/faults.test.ts runs a sample of it.
import { test } from "vitest";
import { expectFault } from "../helpers/expect-fault.ts";
import { FAULT_ROWS } from "../process/fault-rows.ts";

test.concurrent.each(FAULT_ROWS.map((row) => [row.name, row] as const))(
	"%s",
	async (_, row) => expectFault(row),
);
