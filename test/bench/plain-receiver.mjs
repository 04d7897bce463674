// What `listen` is measured against: a bare node:http server that reads the body and answers 204; and one that checks the
// signature and syncs every delivery to disk by itself before it answers.
//   node plain-receiver.mjs bare
//   node plain-receiver.mjs sync-each KEY-IN-BASE64 FILE
import { createHmac, timingSafeEqual } from "node:crypto";
import { fdatasync, openSync, write } from "node:fs";
import { createServer } from "node:http";
import { promisify } from "node:util";

const [kind, key = "", path = ""] = process.argv.slice(2);
const handle = kind === "bare" ? () => 204 : openSyncingReceiver();

const server = createServer((request, response) => {
	const chunks = [];
	request.on("data", (chunk) => chunks.push(chunk));
	request.on("end", async () => {
		response.statusCode = await handle(request.headers, Buffer.concat(chunks));
		response.end();
	});
});
server.listen(0, "127.0.0.1", () =>
	console.error(`receives at http://127.0.0.1:${server.address().port}`),
);

function openSyncingReceiver() {
	const secret = Buffer.from(key, "base64");
	const file = openSync(path, "a");
	let last = Promise.resolve();
	const keep = async (line) => {
		await promisify(write)(file, line);
		await promisify(fdatasync)(file);
	};
	return async (headers, body) => {
		const { "webhook-id": id, "webhook-timestamp": timestamp } = headers;
		const mac = createHmac("sha256", secret)
			.update(`${id}.${timestamp}.`)
			.update(body)
			.digest();
		const sent = headers["webhook-signature"].replace("v1,", "");
		if (!timingSafeEqual(mac, Buffer.from(sent, "base64"))) return 401;
		const line = `${JSON.stringify({ headers, body: body.toString() })}\n`;
		last = last.then(() => keep(line));
		await last;
		return 204;
	};
}
