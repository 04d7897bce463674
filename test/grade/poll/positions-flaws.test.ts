// Each flaw of the positions of poll turns its own row, and no other. In a file of its own, so that both parts run side by side.
import { pollPositionsRows } from "../../../src/grade/catalogue/poll-positions.ts";
import { describeFlaws } from "./one-flaw.ts";

await describeFlaws(pollPositionsRows);
