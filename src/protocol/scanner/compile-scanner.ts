// Compiles scanner.as.ts: for `npm run scanner`, and for the test that scanner-base64.ts is what comes of it. No part of
// the program.
import { main } from "assemblyscript/asc";

/** The text of scanner-base64.ts. `folder` holds scanner.as.ts. Throws an Error with what the compiler says. */
export async function compileScanner(folder: string): Promise<string> {
	let program: Uint8Array | undefined;
	const flags = ["-O3", "--noAssert", "--runtime", "stub"];
	const vectors = ["--enable", "simd"];
	// Enough for a chunk of a stream: it grows with what is laid out.
	const memory = ["--initialMemory", "2"];
	const { error, stderr } = await main(
		[
			...["scanner.as.ts", "--baseDir", folder, "-o", "out"],
			...[...flags, ...vectors, ...memory],
		],
		{
			writeFile(_name: string, contents: Uint8Array | string) {
				if (typeof contents !== "string") program = contents;
			},
		},
	);
	if (error || !program) throw new Error(`${error?.message}\n${stderr}`);
	const base64 = Buffer.from(program).toString("base64");
	return `// Made by \`npm run scanner\` from scanner.as.ts.\nexport const SCANNER_BASE64 =\n\t"${base64}";\n`;
}
