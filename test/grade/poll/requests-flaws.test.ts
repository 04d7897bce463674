// Each flaw of the requests of poll turns its own row, and no other. In a file of its own, so that both parts run side by side.
import { pollRequestsRows } from "../../../src/grade/catalogue/poll-requests.ts";
import { describeFlaws } from "./one-flaw.ts";

await describeFlaws(pollRequestsRows);
