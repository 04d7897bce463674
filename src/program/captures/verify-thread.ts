// A thread of `verify`: checks one piece after the other, and gives each back. A file of its own in the package.
import { parentPort, workerData } from "node:worker_threads";
import { chooseSecrets, readSecretTexts } from "../listen/secret-choice.ts";
import { type CheckOrder, checkPiece, type Piece } from "./check-piece.ts";

const { secrets, filters, ...others }: CheckOrder = workerData;
const rules = {
	...others,
	secretsFor: chooseSecrets(readSecretTexts(secrets)),
};

parentPort?.on("message", async (piece: Piece) => {
	const checked = await checkPiece(piece, { rules, filters });
	parentPort?.postMessage(checked, [checked.printed.buffer]);
});
