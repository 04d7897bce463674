// A result as JSON text, with what stands beside its members in each era and profile.
import { META, METHODS, type RequestId } from "../../protocol/index.ts";
import type { Settings } from "../settings.ts";
import type { RpcRequest } from "./core.ts";
import type { Era } from "./envelope.ts";
import { serverInfo } from "./handshake.ts";

/** A result of the core protocol as it is: an `initialize` client may refuse a member that it does not know in it. */
export const plainResultText = (id: RequestId, result: object) =>
	wrap(id, membersOf(result));

/** `members`: those of the result, as JSON text. */
export function resultText(
	request: RpcRequest,
	members: string,
	{ era, settings }: { era: Era; settings: Settings },
): string {
	const beside = membersOf(membersBeside(request, era, settings));
	return wrap(request.id, join(members, beside));
}

/** The members of an object as JSON text. */
export const membersOf = (value: object) => JSON.stringify(value).slice(1, -1);

function membersBeside(
	{ id, method }: RpcRequest,
	era: Era,
	settings: Settings,
) {
	const { profile } = settings;
	const isFinal = method === METHODS.stream;
	const isNamed =
		method === METHODS.listen ||
		(isFinal && profile.finalFrame === "subscriptionId");
	const meta = {
		...(isNamed && { [META.subscriptionId]: id }),
		...(era === "modern" && { [META.serverInfo]: serverInfo(settings) }),
	};
	const hasMeta = isFinal || Object.keys(meta).length > 0;
	const hasType = era === "modern" || profile.resultType === "always";
	return {
		...(hasType && { resultType: "complete" }),
		...(hasMeta && { _meta: meta }),
	};
}

const join = (left: string, right: string) =>
	left === "" || right === "" ? left + right : `${left},${right}`;

const wrap = (id: RequestId, members: string) =>
	`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{${members}}}`;
