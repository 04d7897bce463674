// The other side of the bench of `verify`: the `standardwebhooks` package over the captures of a folder.
//   node package-verify.mjs SECRET AS-OF-MS FOLDER
import { createReadStream, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Webhook } from "standardwebhooks";

const [secret, asOfMs, folder] = process.argv.slice(2);
// It has no other way to be asked about a time that is past.
Date.now = () => Number(asOfMs);
const webhook = new Webhook(secret);

let lines = "";
for (const name of readdirSync(folder).sort()) {
	const input = createReadStream(join(folder, name));
	for await (const line of createInterface({ input })) {
		const { id, headers, body } = JSON.parse(line);
		lines += `${JSON.stringify({ capture: id, valid: isValid(headers, body) })}\n`;
		if (lines.length < 65_536) continue;
		if (!process.stdout.write(lines))
			await new Promise((resolve) => process.stdout.once("drain", resolve));
		lines = "";
	}
}
process.stdout.write(lines);

function isValid(headers, body) {
	try {
		webhook.verify(body, Object.fromEntries(headers), { jsonParse: false });
		return true;
	} catch {
		return false;
	}
}
